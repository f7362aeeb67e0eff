import { type Host, pause } from "../domain/clock.ts";
import { isFinal } from "../domain/errors.ts";
import type { Message, Verdict } from "../domain/message.ts";
import type { PullLink } from "./pull-link.ts";
import { repeatDelayMs } from "./repeat-delay.ts";
import type { Incident } from "./transport.ts";

/** What it takes to settle deliveries. */
export interface Settlement<Receipt> {
  readonly link: PullLink<Receipt>;
  readonly host: Host;
  readonly leaseMs: number;
  readonly returnDelayMs: number;
  readonly report: (incident: Incident) => void;
  /** When its consumer was told to stop, by our own clock; infinite until then. */
  stoppedAt: number;
}

/** How long a consumer that was told to stop waits for a broker that gives no answer, in milliseconds. */
export const lastWordsMs = 5_000;

/** A delivery as far as settling it goes. */
export interface InHand<Receipt> {
  readonly receipt: Receipt;
  /** The message as the broker now has it. */
  readonly current: Message;
  /** When its lease lapses, by our own clock. */
  leaseUntil: number;
}

export type OnwardVerdict = Exclude<Verdict, { kind: "done" }>;

/**
 * So often a move is asked for that was not answered, before its message goes back as it was. Where the first was done after all
 * and the broker has the two in different places, it would be there twice.
 */
const movesTried = 3;

/**
 * Carries out a verdict that sends a message somewhere. Resolves when nothing more can be done for the delivery.
 *
 * One that is refused for good comes back unchanged, each time, until somebody makes its queue or raises the limit: we
 * may neither drop it nor acknowledge it, and its owner hears of it every time.
 */
export async function sendOnward<Receipt>(
  settlement: Settlement<Receipt>,
  delivery: InHand<Receipt>,
  verdict: OnwardVerdict,
): Promise<void> {
  const { link, report, returnDelayMs } = settlement;
  try {
    if (verdict.kind === "retry") await putBack(settlement, delivery, verdict);
    else if (link.move === undefined) await sendThenAcknowledge(settlement, delivery, verdict);
    else await moveOn(settlement, delivery, verdict);
  } catch (error) {
    // To acknowledge now could lose it; to come back at once would hammer a queue that has just refused.
    report({ kind: "onward-failed", error, message: delivery.current, retryInMs: returnDelayMs });
    const unchanged = { message: delivery.current, delayMs: returnDelayMs };
    await orLetGo(settlement, [delivery], putBack(settlement, delivery, unchanged));
  }
}

async function moveOn<Receipt>(
  settlement: Settlement<Receipt>,
  delivery: InHand<Receipt>,
  { to, message }: Extract<OnwardVerdict, { to: unknown }>,
): Promise<void> {
  const ask = async () => (await settlement.link.move?.(delivery.receipt, to, message)) ?? false;
  await insist(settlement, [delivery], ask, { tries: movesTried, thenThrow: true });
}

/** In this order: a crash in between makes a duplicate, never a loss. Rejects only if it could not be sent. */
async function sendThenAcknowledge<Receipt>(
  settlement: Settlement<Receipt>,
  delivery: InHand<Receipt>,
  { to, message }: Extract<OnwardVerdict, { to: unknown }>,
): Promise<void> {
  // Whoever lost it in the meantime must not send it, and whoever has it needs the time to do so.
  if (!(await renew(settlement, delivery))) return;
  await settlement.link.send(to, message, 0);
  await acknowledge(settlement, [delivery]);
}

function renew<Receipt>(settlement: Settlement<Receipt>, delivery: InHand<Receipt>): Promise<boolean> {
  const { link, host, leaseMs } = settlement;
  return insist(settlement, [delivery], async () => {
    const askedAt = host.clock.now();
    const renewed = await link.extend(delivery.receipt, leaseMs);
    if (renewed) delivery.leaseUntil = askedAt + leaseMs;
    return renewed;
  });
}

/** Acknowledges what is finished. Deliveries whose lease was lost meanwhile are passed over. */
export function acknowledge<Receipt>(
  settlement: Settlement<Receipt>,
  deliveries: readonly InHand<Receipt>[],
): Promise<void> {
  return tell(settlement, deliveries, (receipts) => settlement.link.acknowledge(receipts));
}

/**
 * Gives back what no handler saw. Tried a few times only: what stays comes again when its lease lapses, and a consumer
 * told to stop while its broker is away is not kept waiting for it.
 */
export function giveBack<Receipt>(
  settlement: Settlement<Receipt>,
  deliveries: readonly InHand<Receipt>[],
): Promise<void> {
  return tell(settlement, deliveries, (receipts) => settlement.link.giveBack(receipts), { tries: 3 });
}

function tell<Receipt>(
  settlement: Settlement<Receipt>,
  deliveries: readonly InHand<Receipt>[],
  say: (receipts: readonly Receipt[]) => Promise<void>,
  options?: { readonly tries: number },
): Promise<void> {
  const receipts = deliveries.map((delivery) => delivery.receipt);
  const ask = async () => {
    await say(receipts);
    return true;
  };
  return orLetGo(settlement, deliveries, insist(settlement, deliveries, ask, options));
}

/** What was refused for good comes again when its lease lapses. */
async function orLetGo(
  { report }: Pick<Settlement<unknown>, "report">,
  deliveries: readonly InHand<unknown>[],
  insisting: Promise<unknown>,
): Promise<void> {
  await insisting.catch((error: unknown) => reportLost(deliveries, report, error));
}

interface InsistOptions {
  /** How often it is asked, at most. @default for as long as the leases last */
  readonly tries?: number;
  /** Whether it rejects when it gives up, for somebody who knows what else to do. @default false */
  readonly thenThrow?: boolean;
}

/**
 * Asks until there is an answer: one that never came is neither yes nor no, and asking again under the same receipt
 * finds nothing to do if it was yes. False once the leases are lost or over, or shortly after it was told to stop.
 * Rejects when it was refused for good.
 */
export async function insist<Receipt>(
  settlement: Settlement<Receipt>,
  deliveries: readonly InHand<Receipt>[],
  ask: () => Promise<boolean>,
  { tries = Number.POSITIVE_INFINITY, thenThrow = false }: InsistOptions = {},
): Promise<boolean> {
  const { report, host } = settlement;
  const beganAt = host.clock.now();
  for (let tried = 1; ; tried++) {
    try {
      if (await ask()) return true;
      // After an answer that never came, a no may only mean that it had been a yes.
      if (tried === 1) reportLost(deliveries, report);
      return false;
    } catch (error) {
      if (isFinal(error)) throw error;
      const lastAt = Math.max(beganAt, settlement.stoppedAt) + lastWordsMs;
      const leftMs = Math.min(lastAt, latestLease(deliveries)) - host.clock.now();
      if (leftMs <= 0 || tried === tries) {
        if (thenThrow) throw error;
        reportLost(deliveries, report, error);
        return false;
      }
      const retryInMs = Math.min(leftMs, repeatDelayMs(tried, host.random));
      report({ kind: "settle-failed", error, retryInMs });
      await pause(host.clock, retryInMs);
    }
  }
}

function reportLost(
  deliveries: readonly InHand<unknown>[],
  report: (incident: Incident) => void,
  error?: unknown,
): void {
  for (const { current } of deliveries) report({ kind: "delivery-lost", message: current, error });
}

async function putBack<Receipt>(
  settlement: Settlement<Receipt>,
  delivery: InHand<Receipt>,
  { message, delayMs }: { readonly message: Message; readonly delayMs: number },
): Promise<void> {
  await insist(settlement, [delivery], () => settlement.link.replace(delivery.receipt, message, delayMs));
}

function latestLease(deliveries: readonly InHand<unknown>[]): number {
  return deliveries.reduce((latest, { leaseUntil }) => Math.max(latest, leaseUntil), 0);
}
