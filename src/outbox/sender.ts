import type { Host } from "../domain/clock.ts";
import { isOfficeError } from "../domain/errors.ts";
import { answerWithin } from "../transports/answering-link.ts";
import type { Transport } from "../transports/transport.ts";
import { type FailurePolicy, judgeFailure } from "./judge-failure.ts";
import type { Claimed } from "./outbox-table.ts";
import type { RelayEvents } from "./relay-events.ts";
import type { Unsettled } from "./settler.ts";

export interface SenderParts {
  readonly transport: Transport;
  readonly host: Host;
  readonly events: RelayEvents;
  readonly policy: FailurePolicy;
  /** Sends under way at once. */
  readonly concurrency: number;
  readonly sendWithinMs: number;
  readonly settle: (items: readonly Unsettled[]) => void;
  /** The transport is closed: nothing can ever be sent again. */
  readonly closed: (error: unknown) => void;
}

/** Messages of one lane in their order, or a single one without a lane; all of one claim. */
interface Run {
  readonly messages: readonly Claimed[];
  readonly leaseEndsAt: number;
}

/** Sends what was claimed, several lanes at once and each lane in its order, and tells what became of it. */
export class Sender {
  readonly #parts: SenderParts;
  #waiting: Run[] = [];
  readonly #sending = new Set<Promise<void>>();
  #stopped = false;
  #failuresInARow = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Sends that failed since the broker last took or refused one. */
  get failuresInARow(): number {
    return this.#failuresInARow;
  }

  send(claimed: readonly Claimed[], leaseEndsAt: number): void {
    this.#waiting.push(...runsOf(claimed).map((messages) => ({ messages, leaseEndsAt })));
    this.#startSome();
  }

  /** Begins no more sends, and gives back what was not begun. Resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { messages, leaseEndsAt } of this.#waiting) this.#giveBack(messages, leaseEndsAt);
    this.#waiting = [];
    await Promise.all(this.#sending);
  }

  #startSome(): void {
    while (this.#sending.size < this.#parts.concurrency) {
      const run = this.#waiting.shift();
      if (run === undefined) return;
      const sending = this.#sendRun(run).finally(() => {
        this.#sending.delete(sending);
        this.#startSome();
      });
      this.#sending.add(sending);
    }
  }

  async #sendRun({ messages, leaseEndsAt }: Run): Promise<void> {
    for (const [index, claimed] of messages.entries()) {
      if (!this.#mayBegin(leaseEndsAt)) return this.#giveBack(messages.slice(index), leaseEndsAt);
      const sent = await this.#sendOne(claimed, leaseEndsAt);
      if (!sent) return this.#giveBack(messages.slice(index + 1), leaseEndsAt);
    }
  }

  /** A send that outlasted its lease could arrive after those of whoever took over. */
  #mayBegin(leaseEndsAt: number): boolean {
    const { host, sendWithinMs } = this.#parts;
    return !this.#stopped && host.clock.now() + sendWithinMs <= leaseEndsAt;
  }

  /** False: those behind it must wait. */
  async #sendOne(claimed: Claimed, leaseEndsAt: number): Promise<boolean> {
    const { transport, host, events, sendWithinMs, settle } = this.#parts;
    const { id, claim, to, message } = claimed;
    const began = host.clock.now();
    try {
      await answerWithin(transport.send(to, message), host.clock, sendWithinMs);
    } catch (error) {
      this.#failed(error, claimed, leaseEndsAt);
      return false;
    }
    this.#failuresInARow = 0;
    events.emit({ type: "sent", id, to, message, durationMs: host.clock.now() - began });
    settle([{ id, claim, outcome: "sent", delayMs: 0, error: "", leaseEndsAt }]);
    return true;
  }

  #failed(error: unknown, claimed: Claimed, leaseEndsAt: number): void {
    const { policy, events, settle, closed } = this.#parts;
    const { id, claim, to, message } = claimed;
    if (isOfficeError(error, "TRANSPORT_CLOSED")) {
      this.#giveBack([claimed], leaseEndsAt);
      closed(error);
      return;
    }
    const { outcome, delayMs } = judgeFailure(error, claimed, policy);
    this.#failuresInARow = outcome === "failed" ? this.#failuresInARow + 1 : 0;
    const about = { id, to, message, error, tries: claimed.tries + 1 };
    if (outcome === "set aside") events.emit({ type: "set-aside", ...about });
    else events.emit({ type: "send-failed", ...about, retryInMs: delayMs });
    settle([{ id, claim, outcome, delayMs, error: sentenceOf(error), leaseEndsAt }]);
  }

  #giveBack(messages: readonly Claimed[], leaseEndsAt: number): void {
    const unsent = { outcome: "unsent", delayMs: 0, error: "", leaseEndsAt } as const;
    this.#parts.settle(messages.map(({ id, claim }) => ({ id, claim, ...unsent })));
  }
}

function runsOf(claimed: readonly Claimed[]): readonly (readonly Claimed[])[] {
  const runs = new Map<string, Claimed[]>();
  for (const one of claimed) {
    const name = one.lane ?? `alone ${one.id}`;
    const run = runs.get(name);
    if (run === undefined) runs.set(name, [one]);
    else run.push(one);
  }
  return [...runs.values()];
}

const maxSentence = 1_000;

/** For a column that people read; text there holds neither NUL nor half a character. */
function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return Buffer.from(text.slice(0, maxSentence).replaceAll("\0", "\u2400")).toString();
}
