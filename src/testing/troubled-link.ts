import type { Cancel } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { type Address, queueName } from "../domain/message.ts";
import type { PullLink } from "../transports/pull-link.ts";

/** What can be done to a link while a test runs; each returns the end of the trouble. */
export interface Troubles {
  /** Refuses what is sent, or moved, to this queue. */
  failSendsTo(queue: Address): Cancel;
  /** Cuts the connection: nothing is done any more, and everything rejects. */
  cut(): Cancel;
}

/** The same link, for better and for worse. */
export function troubledLink<Receipt>(inner: PullLink<Receipt>): { link: PullLink<Receipt>; troubles: Troubles } {
  const refused = new Map<string, number>();
  let cuts = 0;

  const through = async <Answer>(ask: () => Promise<Answer>, to?: Address): Promise<Answer> => {
    if (cuts > 0) throw new OfficeError("TRANSPORT_UNAVAILABLE", "The connection was cut.");
    if (to && (refused.get(queueName(to)) ?? 0) > 0) {
      throw new OfficeError("TRANSPORT_UNAVAILABLE", `The queue ${queueName(to)} takes nothing.`);
    }
    return await ask();
  };

  return {
    link: linkThrough(inner, through),
    troubles: {
      failSendsTo(queue) {
        const name = queueName(queue);
        refused.set(name, (refused.get(name) ?? 0) + 1);
        return onlyOnce(() => refused.set(name, (refused.get(name) ?? 0) - 1));
      },
      cut() {
        cuts += 1;
        return onlyOnce(() => {
          cuts -= 1;
        });
      },
    },
  };
}

type Through = <Answer>(ask: () => Promise<Answer>, to?: Address) => Promise<Answer>;

function linkThrough<Receipt>(inner: PullLink<Receipt>, through: Through): PullLink<Receipt> {
  const { move, watch } = inner;
  return {
    send: (to, message, ...how) => through(() => inner.send(to, message, ...how), to),
    take: (from, max, options) => through(() => inner.take(from, max, options)),
    acknowledge: (receipts) => through(() => inner.acknowledge(receipts)),
    replace: (receipt, message, delayMs) => through(() => inner.replace(receipt, message, delayMs)),
    ...(move && { move: (receipt, to, message) => through(() => move.call(inner, receipt, to, message), to) }),
    giveBack: (receipts) => through(() => inner.giveBack(receipts)),
    charge: (receipt, headers) => through(() => inner.charge(receipt, headers)),
    extend: (receipt, ms) => through(() => inner.extend(receipt, ms)),
    ...(watch && { watch: (from, wake) => through(() => watch.call(inner, from, wake)) }),
    close: () => inner.close(),
  };
}

function onlyOnce(end: () => unknown): Cancel {
  let ended = false;
  return () => {
    if (!ended) end();
    ended = true;
  };
}
