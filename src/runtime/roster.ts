/**
 * Who may run a handler together, and who must run alone.
 *
 * A crash redelivers everything that was in hand, the one that killed among the innocent. Suspects run alone, so that
 * when the process dies again exactly one message was running.
 */
export class Roster {
  #running = 0;
  #alone = false;
  /** Suspects come first: while one waits, nobody new joins, or it might wait for ever. */
  readonly #suspects: (() => void)[] = [];
  readonly #others: (() => void)[] = [];

  /** Joins the others. Undefined: at once. */
  join(): Promise<void> | undefined {
    if (!this.#alone && this.#suspects.length === 0) {
      this.#running++;
      return undefined;
    }
    return new Promise((resolve) => this.#others.push(resolve));
  }

  leave(): void {
    this.#running--;
    this.#next();
  }

  /** Waits until nobody else runs. */
  beAlone(): Promise<void> {
    return new Promise((resolve) => {
      this.#suspects.push(resolve);
      this.#next();
    });
  }

  leaveAlone(): void {
    this.#alone = false;
    this.#next();
  }

  #next(): void {
    if (this.#alone) return;
    const suspect = this.#suspects[0];
    if (suspect === undefined) this.#admitOthers();
    else if (this.#running === 0) {
      this.#suspects.shift();
      this.#alone = true;
      suspect();
    }
  }

  #admitOthers(): void {
    // Asked after every message: an empty list is not to be copied each time.
    if (this.#others.length === 0) return;
    for (const join of this.#others.splice(0)) {
      this.#running++;
      join();
    }
  }
}
