import { headerText } from "../../src/domain/message.ts";
import { queueNames, wire } from "../../src/domain/wire.ts";
import { countBy, isUnchanged } from "../simulation/oracle.ts";
import { idOf } from "../simulation/planned-message.ts";
import type { Payment } from "./books.ts";
import type { Resting } from "./broker-driver.ts";
import { deservedReasons, type Order, toMessage } from "./order.ts";
import { digestOf } from "./order-handler.ts";

/** All there is to see once everything has settled. */
export interface Evidence {
  readonly queue: string;
  /** Whether payments were made under an inbox. */
  readonly inbox: boolean;
  readonly sent: ReadonlyMap<string, Order>;
  readonly accepted: ReadonlySet<string>;
  readonly payments: readonly Payment[];
  readonly resting: readonly Resting[];
}

/** What became of everything, told in sets of order ids. */
export interface Findings {
  readonly accepted: number;
  /** Accepted and paid, under its own id or under its key. */
  readonly processed: number;
  /** Dead letters by reason. */
  readonly dead: Readonly<Record<string, number>>;
  /** Accepted, and now neither paid nor kept anywhere. */
  readonly lost: readonly string[];
  /** There, and never sent like that; or paid or dead without any ground. */
  readonly unexpected: readonly string[];
  /** Still in the work queue. */
  readonly unsettled: readonly string[];
  /** Keys paid more than once in spite of the inbox. */
  readonly effectiveDuplicates: readonly string[];
  /** Ends beyond the first of each order, payments and dead letters alike: allowed, but worth knowing. */
  readonly rawDuplicates: number;
  /** Dead letters of orders that nothing is wrong with: whatever was killed around them cost them their attempts. */
  readonly innocents: readonly Innocent[];
}

export interface Innocent {
  readonly id: string;
  readonly reason: string;
  readonly workMs: number;
  /** Paid all the same, or as another message of its key. */
  readonly isPaid: boolean;
}

interface Letter extends Resting {
  readonly id: string;
  readonly reason: string;
}

export function judge(evidence: Evidence): Findings {
  const { queue, accepted, payments, resting } = evidence;
  const all = resting.map((rest) => letterOf(rest));
  const letters = all.filter((letter) => letter.queue !== queue);
  const isPaid = paidOrders(evidence);
  const kept = new Set(all.map(({ id }) => id));
  const ends = [...payments, ...letters].map(({ id }) => id);
  return {
    accepted: accepted.size,
    processed: [...accepted].filter(isPaid).length,
    dead: Object.fromEntries(countBy(letters.map(({ reason }) => reason).sort())),
    lost: [...accepted].filter((id) => !kept.has(id) && !isPaid(id)),
    unexpected: [
      ...payments.flatMap((payment) => doubtPayment(evidence, payment)),
      ...all.flatMap((letter) => doubtLetter(evidence, letter)),
    ],
    unsettled: all.filter((letter) => letter.queue === queue).map(({ id }) => id),
    effectiveDuplicates: evidence.inbox ? repeated(payments.map(({ key }) => key)) : [],
    rawDuplicates: ends.length - new Set(ends).size,
    innocents: letters.flatMap((letter) => innocentOf(evidence, letter, isPaid)),
  };
}

/** Whether nothing was found that may never be. */
export function isSound({ lost, unexpected, unsettled, effectiveDuplicates }: Findings): boolean {
  return [lost, unexpected, unsettled, effectiveDuplicates].every((found) => found.length === 0);
}

function letterOf(rest: Resting): Letter {
  const { headers } = rest.message;
  return { ...rest, id: idOf(rest.message), reason: headerText(headers, wire.reason) ?? "none" };
}

/** With an inbox, one payment is for all orders of its key. */
function paidOrders({ inbox, payments, sent }: Evidence): (id: string) => boolean {
  const ids = new Set(payments.map(({ id }) => id));
  const keys = new Set(inbox ? payments.map(({ key }) => key) : []);
  return (id) => ids.has(id) || keys.has(sent.get(id)?.key ?? "");
}

function doubtPayment({ sent }: Evidence, { id, digest }: Payment): string[] {
  const order = sent.get(id);
  if (order === undefined) return [`${id} was paid and never sent`];
  if (digest !== digestOf(toMessage(order).body)) return [`${id} was paid for another body than was sent`];
  const deserved = deservedReasons(order);
  return deserved.length > 0 ? [`${id} was paid and should be dead: ${deserved.join(" or ")}`] : [];
}

/** What any order may die of when its processes do: it had attempts that nobody heard of. */
const bystanderReasons = ["crash_poison", "attempts_exhausted"];

function doubtLetter({ queue, sent }: Evidence, { id, queue: found, message, reason }: Letter): string[] {
  const order = sent.get(id);
  if (order === undefined || !isUnchanged(toMessage(order), message)) return [`${id} in ${found} is not what was sent`];
  if (found === queue) return [];
  const isKnown = [...deservedReasons(order), ...bystanderReasons].includes(reason);
  const isInPlace = found === placeOf(queue, reason);
  return isKnown && isInPlace ? [] : [`${id} is in ${found} for ${reason}`];
}

function placeOf(queue: string, reason: string): string {
  return reason.endsWith("poison") ? queueNames.quarantine(queue, "poison") : queueNames.deadLetters(queue);
}

function innocentOf({ sent }: Evidence, { id, reason }: Letter, isPaid: (id: string) => boolean): Innocent[] {
  const order = sent.get(id);
  if (order === undefined || deservedReasons(order).length > 0) return [];
  return [{ id, reason, workMs: order.workMs, isPaid: isPaid(id) }];
}

function repeated(names: readonly string[]): string[] {
  return [...countBy(names)].filter(([, count]) => count > 1).map(([name, count]) => `${name}: ${count} payments`);
}
