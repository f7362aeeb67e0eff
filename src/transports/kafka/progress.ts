import { decodeRuns, type Fate, maxRunBytes, type Run, RunList, runBytes } from "./commit-metadata.ts";

/** A message that was read and is not finished, with its neighbours among those. */
export interface Unfinished<Item> {
  readonly offset: number;
  /** Whoever takes the partition over must take it for a suspect. */
  readonly inHand: boolean;
  before: Item | null;
  after: Item | null;
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
export class Progress<Item extends Unfinished<Item>> {
  /** In offset order, since they are added in that order. */
  #first: Item | null = null;
  #last: Item | null = null;
  /** What the last commit said of offsets that were not read again so far. */
  readonly #ahead: Stretch[];
  #position: number;
  /** Behind the last message that is finished or in hand. */
  #touchedEnd: number;

  constructor(offset: number, metadata: string) {
    this.#position = offset;
    this.#touchedEnd = offset;
    this.#ahead = stretches(offset, decodeRuns(metadata));
  }

  /** Up to where messages were read. */
  get position(): number {
    return this.#position;
  }

  get first(): Item | null {
    return this.#first;
  }

  /** What the last commit said of a message that is now read again. */
  fateOf(offset: number): Fate {
    return this.#ahead.find(({ from, to }) => offset >= from && offset < to)?.fate ?? "untouched";
  }

  /** It was read, and so was all before it. */
  add(item: Item): void {
    item.before = this.#last;
    if (this.#last === null) this.#first = item;
    else this.#last.after = item;
    this.#last = item;
    this.advance(item.offset + 1);
  }

  /** Everything before `position` was read. */
  advance(position: number): void {
    this.#position = position;
    for (let next = this.#ahead[0]; next !== undefined && next.from < position; next = this.#ahead[0]) {
      if (next.fate !== "untouched") this.#touch(Math.min(next.to, position) - 1);
      if (next.to > position) return;
      this.#ahead.shift();
    }
  }

  /** It is in hand from now on. */
  take(item: Item): void {
    this.#touch(item.offset);
  }

  finish(item: Item): void {
    if (item.before === null) this.#first = item.after;
    else item.before.after = item.after;
    if (item.after === null) this.#last = item.before;
    else item.after.before = item.before;
    this.#touch(item.offset);
  }

  /** What to commit now. */
  commitment(): { readonly offset: number; readonly metadata: string } {
    return { offset: this.#firstUnfinished(), metadata: this.#runs().encode() };
  }

  /** Whether the metadata still fits once this message is in hand, in whatever order messages then finish. */
  fits({ offset }: Item): boolean {
    const end = Math.max(offset + 1, this.#end());
    const aheadBytes = this.#ahead.length * longestRunBytes;
    // At worst each offset is a run of its own, of one byte.
    if (end - this.#firstUnfinished() + aheadBytes <= maxRunBytes) return true;
    return this.#worstBytes(end) + aheadBytes <= maxRunBytes;
  }

  #touch(offset: number): void {
    if (offset >= this.#touchedEnd) this.#touchedEnd = offset + 1;
  }

  #firstUnfinished(): number {
    return this.#first?.offset ?? this.#position;
  }

  /** Up to where there is something to say. */
  #end(): number {
    return this.#ahead.length > 0 ? this.#position : this.#touchedEnd;
  }

  /** What was read and is not there any more is finished, and so are the places of records that do not count. */
  #runs(): RunList {
    const runs = new RunList();
    const end = this.#end();
    let cursor = this.#firstUnfinished();
    for (let item = this.#first; item !== null && item.offset < end; item = item.after) {
      runs.add("finished", item.offset - cursor);
      runs.add(item.inHand ? "in-hand" : "untouched", 1);
      cursor = item.offset + 1;
    }
    runs.add("finished", end - cursor);
    for (const { fate, from, to } of this.#ahead) runs.add(fate, to - Math.max(from, this.#position));
    return runs;
  }

  /**
   * Each unfinished message a run of its own, each stretch between them another. It never becomes more by finishing: a
   * message then joins the stretches around it, and one long run takes no more than its parts.
   */
  #worstBytes(end: number): number {
    let bytes = 0;
    let cursor = this.#firstUnfinished();
    for (let item = this.#first; item !== null && item.offset < end; item = item.after) {
      bytes += runBytes(item.offset - cursor) + runBytes(1);
      cursor = item.offset + 1;
    }
    return bytes + runBytes(end - cursor);
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
