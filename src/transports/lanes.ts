/** Something with a place in the lane of its key; null while it has no key. */
export interface InLane<Item> {
  lane: Lane<Item> | null;
  ahead: Item | null;
  behind: Item | null;
}

/** What shares one key, in the order it came. */
export interface Lane<Item> {
  readonly key: string;
  first: Item | null;
  last: Item | null;
}

/** The lanes of a queue. Joining at the end and leaving from anywhere take constant time. */
export class Lanes<Item extends InLane<Item>> {
  readonly #lanes = new Map<string, Lane<Item>>();

  join(item: Item, key: Uint8Array): void {
    const lane = this.#laneOf(Buffer.from(key).toString("latin1"));
    item.lane = lane;
    item.ahead = lane.last;
    if (lane.last === null) lane.first = item;
    else lane.last.behind = item;
    lane.last = item;
  }

  /** The item that became the first of its lane by this, if one did. */
  leave(item: Item): Item | null {
    const { lane, ahead, behind } = item;
    if (lane === null) return null;
    if (ahead === null) lane.first = behind;
    else ahead.behind = behind;
    if (behind === null) lane.last = ahead;
    else behind.ahead = ahead;
    if (lane.first === null) this.#lanes.delete(lane.key);
    item.lane = null;
    item.ahead = null;
    item.behind = null;
    return ahead === null ? behind : null;
  }

  #laneOf(key: string): Lane<Item> {
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    const lane: Lane<Item> = { key, first: null, last: null };
    this.#lanes.set(key, lane);
    return lane;
  }
}
