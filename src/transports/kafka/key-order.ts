/** A message with a key, as far as order goes. */
export interface Keyed {
  /** Names it among all the messages of its lane. */
  readonly id: string;
  /** Null: no order. */
  readonly lane: string | null;
  /** It comes from a retry topic: what is behind it in its key has to wait for it. */
  readonly isRetry: boolean;
}

interface KeyState<Item> {
  /** Of the queue's own topic, in the order they were sent. */
  readonly line: Item[];
  /** Ids of the messages that wait in retry topics. */
  readonly retries: Set<string>;
  /** Retries that are due while another message of the key is in hand. */
  readonly held: Item[];
  inHand: Item | null;
}

/**
 * Who is next of a key, in one lane: a partition and its retry topics' partitions of that number.
 *
 * A message that waits for a retry lies in a retry topic under its key, so the broker itself knows which keys are
 * blocked; whoever takes the lane over reads it there.
 */
export class KeyOrder<Item extends Keyed> {
  readonly #keys = new Map<string, KeyState<Item>>();
  readonly #release: (item: Item) => void;

  /** `release` is told of messages that may be handed over after they had to wait. */
  constructor(release: (item: Item) => void) {
    this.#release = release;
  }

  /** A message was read. True: it may be handed over as far as its key goes. */
  join(item: Item): boolean {
    if (item.lane === null) return true;
    const state = this.#state(item.lane);
    if (item.isRetry) {
      state.retries.add(item.id);
      return true;
    }
    state.line.push(item);
    return state.line.length === 1 && isOpen(state);
  }

  /** It is about to be handed over. False: not now; it is released later. */
  take(item: Item): boolean {
    if (item.lane === null) return true;
    const state = this.#state(item.lane);
    const mayGo = state.inHand === null && (item.isRetry || (state.line[0] === item && state.retries.size === 0));
    if (mayGo) state.inHand = item;
    else if (item.isRetry) state.held.push(item);
    return mayGo;
  }

  /** It was not handed over after all, and is as it was before `take`. */
  putBack(item: Item): void {
    const state = item.lane === null ? undefined : this.#keys.get(item.lane);
    if (state?.inHand === item) state.inHand = null;
  }

  /** A message of this key waits in a retry topic from now on. */
  block(lane: string | null, id: string): void {
    if (lane !== null) this.#state(lane).retries.add(id);
  }

  leave(item: Item): void {
    const state = item.lane === null ? undefined : this.#keys.get(item.lane);
    if (item.lane === null || state === undefined) return;
    if (state.inHand === item) state.inHand = null;
    if (item.isRetry) state.retries.delete(item.id);
    else if (state.line[0] === item) state.line.shift();
    this.#next(item.lane, state);
  }

  #next(lane: string, state: KeyState<Item>): void {
    if (state.inHand !== null) return;
    const next = state.held.shift() ?? (state.retries.size === 0 ? state.line[0] : undefined);
    if (next !== undefined) this.#release(next);
    else if (state.retries.size === 0) this.#keys.delete(lane);
  }

  #state(lane: string): KeyState<Item> {
    const known = this.#keys.get(lane);
    if (known !== undefined) return known;
    const made: KeyState<Item> = { line: [], retries: new Set(), held: [], inHand: null };
    this.#keys.set(lane, made);
    return made;
  }
}

function isOpen({ inHand, retries }: KeyState<Keyed>): boolean {
  return inHand === null && retries.size === 0;
}
