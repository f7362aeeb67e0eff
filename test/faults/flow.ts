import type { Socket } from "node:net";

/** The two ways through a connection. */
export type Way = "requests" | "replies";

/** How many bytes pass, and whether the connection ends with them. */
export interface Admission {
  readonly passing: number;
  readonly isCut: boolean;
}

export interface FlowParts {
  readonly way: Way;
  readonly from: Socket;
  readonly to: Socket;
  /** As they are at this moment. */
  readonly faults: () => {
    readonly latencyMs: number;
    readonly bytesPerSecond: number;
    readonly swallowed: readonly Way[];
  };
  readonly admit: (way: Way, chunk: Buffer) => Admission;
  /** Told of bytes that vanish. */
  readonly lose: (bytes: number) => void;
  readonly cut: () => void;
}

/** More than this on its way, in bytes, and the sender has to wait. */
const maxUnderWay = 1_048_576;

/** One way through a connection: what comes in goes out later, slower, in part or not at all. */
export class Flow {
  readonly #parts: FlowParts;
  /** When the last byte so far is out; nothing overtakes it. */
  #outAt = 0;
  #underWay = 0;
  #hasLost = false;

  constructor(parts: FlowParts) {
    this.#parts = parts;
    const { from, to } = parts;
    from.on("data", (chunk: Buffer) => this.#take(chunk));
    // In its turn, behind what is still on its way; and not at all where nothing passes.
    from.on("end", () => this.#later(0, () => to.end()));
  }

  /** Whether bytes vanished in it. */
  get hasLost(): boolean {
    return this.#hasLost;
  }

  #take(chunk: Buffer): void {
    const { way, from, faults, lose } = this.#parts;
    if (faults().swallowed.includes(way)) {
      this.#hasLost = true;
      lose(chunk.length);
      return;
    }
    this.#underWay += chunk.length;
    if (this.#underWay > maxUnderWay) from.pause();
    this.#later(chunk.length, () => this.#give(chunk));
  }

  #give(chunk: Buffer): void {
    const { way, from, to, admit, cut } = this.#parts;
    this.#underWay -= chunk.length;
    if (this.#underWay <= maxUnderWay) from.resume();
    if (to.destroyed) return;
    const { passing, isCut } = admit(way, chunk);
    to.write(chunk.subarray(0, passing), () => {
      if (isCut) cut();
    });
  }

  #later(bytes: number, run: () => void): void {
    const { way, faults } = this.#parts;
    const { latencyMs, bytesPerSecond, swallowed } = faults();
    if (swallowed.includes(way)) return;
    const now = Date.now();
    this.#outAt = Math.max(this.#outAt, now + latencyMs) + (bytes / bytesPerSecond) * 1_000;
    const delayMs = this.#outAt - now;
    // Straight through where nothing is wrong and nothing is ahead.
    if (delayMs <= 0 && this.#underWay === bytes) run();
    else setTimeout(run, delayMs);
  }
}
