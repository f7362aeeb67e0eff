import { type Clock, within } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import type { PullLink, Taken } from "./pull-link.ts";

export interface AnsweringOptions {
  readonly clock: Clock;
  readonly limitMs: number;
  /** How long `take` may wait for messages by itself, on top of that, in milliseconds. @default 0 */
  readonly takeWaitMs?: number;
}

/**
 * The same link, except that silence for longer than `limitMs` is an unknown answer. A connection cut half-way may never
 * answer at all, and a consumer that waits for it looks alive and does nothing. Who stops does not wait for messages that
 * may come: if some do, they go back.
 */
export function answeringLink<Receipt>(
  link: PullLink<Receipt>,
  { clock, limitMs, takeWaitMs = 0 }: AnsweringOptions,
): PullLink<Receipt> {
  const inTime = <Answer>(asking: Promise<Answer>, moreMs = 0) => answerWithin(asking, clock, limitMs + moreMs);
  const takes = new UnwantedTakes(link);
  const { move, watch, depth } = link;
  return {
    send: (to, message, ...how) => inTime(link.send(to, message, ...how)),
    take: (from, max, options) => {
      const taking = link.take(from, max, options);
      const wanted = takeWaitMs === 0 ? taking : takes.unlessAborted(taking, options.signal);
      return takes.within(taking, inTime(wanted, takeWaitMs));
    },
    acknowledge: (receipts) => inTime(link.acknowledge(receipts)),
    replace: (receipt, message, delayMs) => inTime(link.replace(receipt, message, delayMs)),
    ...(move && { move: (receipt, to, message) => inTime(move.call(link, receipt, to, message)) }),
    giveBack: (receipts) => inTime(link.giveBack(receipts)),
    charge: (receipt, headers) => inTime(link.charge(receipt, headers)),
    extend: (receipt, ms) => inTime(link.extend(receipt, ms)),
    ...(watch && { watch: (from, wake) => watch.call(link, from, wake) }),
    ...(depth && { depth: (of) => inTime(depth.call(link, of)) }),
    close: async () => {
      if (takeWaitMs > 0) await inTime(takes.over(), takeWaitMs).catch(() => {});
      await inTime(link.close());
    },
  };
}

export function answerWithin<Answer>(
  asking: Promise<Answer>,
  clock: Clock,
  limitMs: number,
  who = "broker",
): Promise<Answer> {
  return within(clock, limitMs, asking, () => {
    throw new OfficeError("TRANSPORT_UNAVAILABLE", `The ${who} did not answer within ${limitMs} ms.`);
  });
}

/** Messages that come after nobody waits for them any more go back, rather than sit out their lease as suspects. */
class UnwantedTakes<Receipt> {
  readonly #link: PullLink<Receipt>;
  readonly #late = new Set<Promise<void>>();

  constructor(link: PullLink<Receipt>) {
    this.#link = link;
  }

  /** Nothing, as soon as `signal` aborts; what comes then goes back. */
  unlessAborted(
    taking: Promise<readonly Taken<Receipt>[]>,
    signal: AbortSignal | undefined,
  ): Promise<readonly Taken<Receipt>[]> {
    if (signal === undefined) return taking;
    return new Promise((resolve, reject) => {
      const abandon = () => {
        this.#return(taking);
        resolve([]);
      };
      if (signal.aborted) abandon();
      signal.addEventListener("abort", abandon, { once: true });
      taking.then(resolve, reject).finally(() => signal.removeEventListener("abort", abandon));
    });
  }

  /** As `asked` for in time; once that has failed, what comes goes back. */
  async within(
    taking: Promise<readonly Taken<Receipt>[]>,
    asked: Promise<readonly Taken<Receipt>[]>,
  ): Promise<readonly Taken<Receipt>[]> {
    try {
      return await asked;
    } catch (error) {
      this.#return(taking);
      throw error;
    }
  }

  /** Resolves when nothing is on its way any more. */
  async over(): Promise<void> {
    await Promise.all(this.#late);
  }

  #return(taking: Promise<readonly Taken<Receipt>[]>): void {
    const returning: Promise<void> = taking
      .then((late) => this.#link.giveBack(late.map((taken) => taken.receipt)))
      // Best effort: what cannot be given back comes again when its lease lapses.
      .catch(() => {})
      .finally(() => this.#late.delete(returning));
    this.#late.add(returning);
  }
}
