import type { Clock } from "../domain/clock.ts";
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
  const within = <Answer>(asking: Promise<Answer>) => answerWithin(asking, clock, limitMs);
  const { move, watch } = link;
  return {
    send: (to, message, delayMs) => within(link.send(to, message, delayMs)),
    take: (from, max, options) => takeWithin(link, link.take(from, max, options), within),
    acknowledge: (receipts) => within(link.acknowledge(receipts)),
    replace: (receipt, message, delayMs) => within(link.replace(receipt, message, delayMs)),
    ...(move && { move: (receipt, to, message) => within(move.call(link, receipt, to, message)) }),
    giveBack: (receipts) => within(link.giveBack(receipts)),
    charge: (receipt, headers) => within(link.charge(receipt, headers)),
    extend: (receipt, ms) => within(link.extend(receipt, ms)),
    ...(watch && { watch: (from, wake) => watch.call(link, from, wake) }),
    close: () => within(link.close()),
  };
}

export function answerWithin<Answer>(
  asking: Promise<Answer>,
  clock: Clock,
  limitMs: number,
  who = "broker",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limitMs, () => {
      reject(new OfficeError("TRANSPORT_UNAVAILABLE", `The ${who} did not answer within ${limitMs} ms.`));
    });
    asking.then(resolve, reject).finally(cancel);
  });
}

/** Messages that come after nobody waits for them any more go back, rather than sit out their lease as suspects. */
async function takeWithin<Receipt>(
  link: PullLink<Receipt>,
  taking: Promise<readonly Taken<Receipt>[]>,
  within: <Answer>(asking: Promise<Answer>) => Promise<Answer>,
): Promise<readonly Taken<Receipt>[]> {
  try {
    return await within(taking);
  } catch (error) {
    taking
      .then((late) => link.giveBack(late.map((taken) => taken.receipt)))
      // Best effort: what cannot be given back comes again when its lease lapses.
      .catch(() => {});
    throw error;
  }
}
