import { type Clock, within } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import type { PullLink, Taken } from "./pull-link.ts";

/**
 * The same link, except that silence for longer than `limitMs` is an unknown answer. A connection cut half-way may never
 * answer at all, and a consumer that waits for it looks alive and does nothing.
 */
export function answeringLink<Receipt>(
  link: PullLink<Receipt>,
  { clock, limitMs }: { readonly clock: Clock; readonly limitMs: number },
): PullLink<Receipt> {
  const inTime = <Answer>(asking: Promise<Answer>) => answerWithin(asking, clock, limitMs);
  const { move, watch } = link;
  return {
    send: (to, message, ...how) => inTime(link.send(to, message, ...how)),
    take: (from, max, options) => takeWithin(link, link.take(from, max, options), inTime),
    acknowledge: (receipts) => inTime(link.acknowledge(receipts)),
    replace: (receipt, message, delayMs) => inTime(link.replace(receipt, message, delayMs)),
    ...(move && { move: (receipt, to, message) => inTime(move.call(link, receipt, to, message)) }),
    giveBack: (receipts) => inTime(link.giveBack(receipts)),
    charge: (receipt, headers) => inTime(link.charge(receipt, headers)),
    extend: (receipt, ms) => inTime(link.extend(receipt, ms)),
    ...(watch && { watch: (from, wake) => watch.call(link, from, wake) }),
    close: () => inTime(link.close()),
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
async function takeWithin<Receipt>(
  link: PullLink<Receipt>,
  taking: Promise<readonly Taken<Receipt>[]>,
  inTime: <Answer>(asking: Promise<Answer>) => Promise<Answer>,
): Promise<readonly Taken<Receipt>[]> {
  try {
    return await inTime(taking);
  } catch (error) {
    taking
      .then((late) => link.giveBack(late.map((taken) => taken.receipt)))
      // Best effort: what cannot be given back comes again when its lease lapses.
      .catch(() => {});
    throw error;
  }
}
