/** Something that comes up at a time. The heap keeps it at `slot`, which is -1 while it is in no heap. */
export interface Timed {
  /** Milliseconds since 1970. Changed only while it is in no heap. */
  at: number;
  /** Decides between two of the same time: the smaller first. */
  readonly seq: number;
  slot: number;
}

/** What comes up next, of very many: adding, taking the earliest and removing any one cost O(log n). */
export class TimeHeap<Item extends Timed> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  /** The earliest, if it comes up by `now`. */
  popDue(now: number): Item | undefined {
    const first = this.#items[0];
    if (first === undefined || first.at > now) return undefined;
    this.remove(first);
    return first;
  }

  remove(item: Item): void {
    const slot = item.slot;
    if (slot < 0) return;
    item.slot = -1;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#rise(last, slot);
    this.#sink(last, last.slot);
  }

  #rise(item: Item, from: number): void {
    let slot = from;
    while (slot > 0) {
      const parent = this.#items[(slot - 1) >> 1] as Item;
      if (!isEarlier(item, parent)) break;
      this.#place(parent, slot);
      slot = (slot - 1) >> 1;
    }
    this.#place(item, slot);
  }

  #sink(item: Item, from: number): void {
    let slot = from;
    for (let child = this.#earlierChild(slot); child >= 0; child = this.#earlierChild(slot)) {
      const candidate = this.#items[child] as Item;
      if (!isEarlier(candidate, item)) break;
      this.#place(candidate, slot);
      slot = child;
    }
    this.#place(item, slot);
  }

  #earlierChild(slot: number): number {
    const left = 2 * slot + 1;
    const right = left + 1;
    if (left >= this.#items.length) return -1;
    if (right >= this.#items.length) return left;
    return isEarlier(this.#items[right] as Item, this.#items[left] as Item) ? right : left;
  }

  #place(item: Item, slot: number): void {
    this.#items[slot] = item;
    item.slot = slot;
  }
}

function isEarlier(a: Timed, b: Timed): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}
