/** Something with a place in one list; -1 while it is in none. The place is the list's to change. */
export interface Slotted {
  slot: number;
}

/**
 * What is there at the moment, for things that come and go all the time; the order is nobody's business.
 *
 * A Set would do the same, but leaves its outgrown tables behind, each pointing to the next: one of them that has grown old
 * keeps all later ones alive, and whatever was in them, until V8's next major collection.
 */
export class SlotList<Item extends Slotted> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** A copy: those in it may leave while it is gone through. */
  get all(): Item[] {
    return [...this.#items];
  }

  has({ slot }: Item): boolean {
    return slot >= 0;
  }

  add(item: Item): void {
    item.slot = this.#items.push(item) - 1;
  }

  /** Removing what is not in it does nothing. */
  remove(item: Item): void {
    const { slot } = item;
    if (slot < 0) return;
    item.slot = -1;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#items[slot] = last;
    last.slot = slot;
  }
}
