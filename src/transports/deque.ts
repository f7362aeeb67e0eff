/** A list that grows and shrinks at both ends, each in constant time but for adding to the front of a fresh one. */
export class Deque<Item> {
  #items: (Item | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  get first(): Item | undefined {
    return this.#items[this.#head];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  unshift(item: Item): void {
    if (this.#head === 0) this.#items.unshift(item);
    else this.#items[--this.#head] = item;
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    this.#reclaim();
    return item;
  }

  pop(): Item | undefined {
    return this.length === 0 ? undefined : this.#items.pop();
  }

  /** Takes all off. */
  drain(): Item[] {
    const items = this.#items.slice(this.#head) as Item[];
    this.#items = [];
    this.#head = 0;
    return items;
  }

  /** Gives up the room of what was shifted out, once that is most of it, so that a busy queue does not grow for ever. */
  #reclaim(): void {
    if (this.#head === this.#items.length) this.#items = [];
    else if (this.#head < 1_024 || this.#head * 2 < this.#items.length) return;
    else this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
