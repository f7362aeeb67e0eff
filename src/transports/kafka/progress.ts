import { decodeRuns, encodeRuns, type Fate, maxRunBytes, type Run, runBytes } from "./commit-metadata.ts";

/** A message that was read and is not finished. */
export interface Unfinished {
  readonly offset: number;
  /** Whoever takes the partition over must take it for a suspect. */
  readonly inHand: boolean;
}

interface Stretch {
  readonly fate: Fate;
  readonly from: number;
  readonly to: number;
}

/** A run never takes more bytes than this. */
const longestRunBytes = 6;

/**
 * How far a partition is worked off: what is committed, so that whoever takes it over repeats nothing that is finished,
 * loses nothing that is not, and knows what was in hand.
 */
export class Progress<Item extends Unfinished> {
  /** In offset order, since they are added in that order. */
  readonly #items = new Map<number, Item>();
  /** What the last commit said of offsets that were not read again so far. */
  #ahead: Stretch[];
  #position: number;
  /** Behind the last message that is finished or in hand. */
  #touchedEnd: number;

  constructor(offset: number, metadata: string) {
    this.#position = offset;
    this.#touchedEnd = offset;
    this.#ahead = stretches(offset, decodeRuns(metadata));
  }

  /** The offset to read on from. */
  get position(): number {
    return this.#position;
  }

  get unfinished(): number {
    return this.#items.size;
  }

  /** What the last commit said of a message that is now read again. */
  fateOf(offset: number): Fate {
    return this.#ahead.find(({ from, to }) => offset >= from && offset < to)?.fate ?? "untouched";
  }

  add(item: Item): void {
    this.#items.set(item.offset, item);
  }

  /** Everything before `position` was read. */
  advance(position: number): void {
    this.#position = position;
    for (const { fate, from, to } of this.#ahead) {
      if (fate !== "untouched" && from < position) this.#touch(Math.min(to, position) - 1);
    }
    this.#ahead = this.#ahead.filter(({ to }) => to > position);
  }

  /** It is in hand from now on. */
  take(item: Item): void {
    this.#touch(item.offset);
  }

  finish(item: Item): void {
    // After a restart the same offset may be another message's.
    if (this.#items.get(item.offset) !== item) return;
    this.#items.delete(item.offset);
    this.#touch(item.offset);
  }

  /** What to commit now. */
  commitment(): { readonly offset: number; readonly metadata: string } {
    const offset = this.#firstUnfinished();
    return { offset, metadata: encodeRuns(this.#runs(offset, this.#end())) };
  }

  /** Whether the metadata still fits once this message is in hand, in whatever order messages then finish. */
  fits({ offset }: Item): boolean {
    const end = Math.max(offset + 1, this.#end());
    const aheadBytes = this.#ahead.length * longestRunBytes;
    // At worst each offset is a run of its own, of one byte.
    if (end - this.#firstUnfinished() + aheadBytes <= maxRunBytes) return true;
    return this.#worstBytes(end) <= maxRunBytes;
  }

  #touch(offset: number): void {
    this.#touchedEnd = Math.max(this.#touchedEnd, offset + 1);
  }

  #firstUnfinished(): number {
    for (const offset of this.#items.keys()) return offset;
    return this.#position;
  }

  /** Up to where there is something to say. */
  #end(): number {
    return this.#ahead.length > 0 ? this.#position : this.#touchedEnd;
  }

  /** What was read and is not there any more is finished, and so are the places of records that do not count. */
  #runs(from: number, end: number): Run[] {
    const runs: Run[] = [];
    let cursor = from;
    for (const { offset, inHand } of this.#items.values()) {
      if (offset >= end) break;
      runs.push({ fate: "finished", length: offset - cursor }, { fate: inHand ? "in-hand" : "untouched", length: 1 });
      cursor = offset + 1;
    }
    if (end > cursor) runs.push({ fate: "finished", length: end - cursor });
    return [...runs, ...this.#aheadRuns()];
  }

  #aheadRuns(): Run[] {
    return this.#ahead.map(({ fate, from, to }) => ({ fate, length: to - Math.max(from, this.#position) }));
  }

  /**
   * Each unfinished message a run of its own, each stretch between them another. It never becomes more by finishing: a
   * message then joins the stretches around it, and one long run takes no more than its parts.
   */
  #worstBytes(end: number): number {
    const runs = this.#runs(this.#firstUnfinished(), end);
    return runs.reduce((bytes, { length }) => bytes + (length === 0 ? 0 : runBytes(length)), 0);
  }
}

function stretches(offset: number, runs: readonly Run[]): Stretch[] {
  let cursor = offset;
  return runs.map(({ fate, length }) => {
    const from = cursor;
    cursor += length;
    return { fate, from, to: cursor };
  });
}
