import type { Address, Message } from "../../src/domain/message.ts";
import type { PullLink, Taken, TakeOptions } from "../../src/transports/pull-link.ts";
import type { Dice } from "./dice.ts";
import type { HandOvers } from "./hand-overs.ts";
import type { Network } from "./network.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

export interface FaultyLinkOptions<Receipt> {
  readonly inner: PullLink<Receipt>;
  readonly network: Network;
  readonly process: SimulatedProcess;
  readonly handOvers: HandOvers<Receipt>;
  readonly dice: Dice;
  /** How likely a lease lapses long before its time, as when a broker fails over. */
  readonly leaseCutShort: number;
  /** The broker has names for the places of its messages. */
  readonly hasPositions: boolean;
  /** The broker is there, but this queue takes nothing just now. */
  readonly isFull: (queue: string) => boolean;
  /** Told of each message the broker has stored. */
  readonly stored: (queue: string, message: Message) => void;
  readonly accuse: (what: string) => void;
}

/** A broker at the other end of a network, with the troubles of both. */
export function faultyLink<Receipt>(options: FaultyLinkOptions<Receipt>): PullLink<Receipt> {
  const { inner, network, process, handOvers } = options;
  const call = <Result>(what: string, act: () => Promise<Result>) => network.call(process, "broker", what, act);
  const name = (...receipts: readonly Receipt[]) =>
    receipts.map((receipt) => handOvers.of(receipt)?.position ?? "?").join(" ");

  return {
    send: (to, message, delayMs) => call(`send to ${to.name}`, () => sendBadly(options, to, message, delayMs)),
    take: (from, max, how) => call(`take ${max}`, () => takeBadly(options, from, max, how)),
    acknowledge: (receipts) =>
      call(`acknowledge ${name(...receipts)}`, () => settleAll(options, receipts, "acknowledge")),
    giveBack: (receipts) => call(`give back ${name(...receipts)}`, () => settleAll(options, receipts, "giveBack")),
    replace: (receipt, message, delayMs) =>
      call(`replace ${name(receipt)} in ${delayMs} ms`, async () => {
        const did = await inner.replace(receipt, message, delayMs);
        return handOvers.answered(receipt, "replacement", did, (handOver) =>
          Object.assign(handOver, { state: "settled" }),
        );
      }),
    charge: (receipt, headers) =>
      call(`charge ${name(receipt)}`, async () => {
        const did = await inner.charge(receipt, headers);
        return handOvers.answered(receipt, "charge", did !== false, (handOver) =>
          Object.assign(handOver, { isCharged: true }),
        );
      }),
    extend: (receipt, ms) =>
      call(`extend ${name(receipt)}`, async () => {
        const did = await inner.extend(receipt, ms);
        return handOvers.answered(receipt, "extension", did, (handOver, now) =>
          Object.assign(handOver, { leaseUntil: now + ms }),
        );
      }),
    ...(inner.move && {
      move: (receipt, to, message) =>
        call(`move ${name(receipt)} to ${to.name}`, () => moveBadly(options, receipt, to, message)),
    }),
    watch: (from, wake) => watchBadly(options, from, wake),
    close: () => inner.close(),
  };
}

async function sendBadly<Receipt>(
  { inner, isFull, stored }: FaultyLinkOptions<Receipt>,
  to: Address,
  message: Message,
  delayMs: number,
): Promise<void> {
  if (isFull(to.name)) throw new Error(`${to.name} takes nothing`);
  await inner.send(to, message, delayMs);
  stored(to.name, message);
}

async function moveBadly<Receipt>(
  { inner, isFull, stored, handOvers }: FaultyLinkOptions<Receipt>,
  receipt: Receipt,
  to: Address,
  message: Message,
): Promise<boolean> {
  if (isFull(to.name)) throw new Error(`${to.name} takes nothing`);
  const did = (await inner.move?.(receipt, to, message)) ?? false;
  if (did) stored(to.name, message);
  return handOvers.answered(receipt, "move", did, (handOver) => Object.assign(handOver, { state: "settled" }));
}

async function takeBadly<Receipt>(
  { inner, network, process, handOvers, dice, leaseCutShort, hasPositions }: FaultyLinkOptions<Receipt>,
  from: Address,
  max: number,
  how: TakeOptions,
): Promise<readonly Taken<Receipt>[]> {
  const isShort = !network.isCalm && dice.chance(leaseCutShort);
  const leaseMs = isShort ? Math.ceil(how.leaseMs * dice.roll()) : how.leaseMs;
  // Each hand-over has a message object of its own, as one decoded from a connection would be: it can be told by it.
  const taken = (await inner.take(from, max, { ...how, leaseMs })).map((one) => ({
    ...one,
    message: { ...one.message },
  }));
  if (isShort && taken.length > 0) network.count("lease-cut-short");
  for (const one of taken) handOvers.took(process, one, { queue: from.name, leaseMs });
  const shown = hasPositions ? taken : taken.map((one) => ({ ...one, position: null }));
  if (network.isCalm || how.order === "key" || taken.length < 2 || !dice.chance(0.2)) return shown;
  network.count("reordered");
  return dice.shuffle(shown);
}

/** These answer nothing, so whoever holds the message by now is asked whether it still does. */
async function settleAll<Receipt>(
  { inner, handOvers, accuse, process }: FaultyLinkOptions<Receipt>,
  receipts: readonly Receipt[],
  what: "acknowledge" | "giveBack",
): Promise<void> {
  const others = receipts
    .map((receipt) => handOvers.holderInsteadOf(receipt))
    .filter((other) => other !== undefined)
    .filter((other) => !receipts.includes(other.receipt));
  await inner[what](receipts);
  for (const receipt of receipts) handOvers.settledIfHeld(receipt);
  for (const { receipt, leftMs } of others) {
    if (await inner.extend(receipt, leftMs)) continue;
    accuse(`a stale ${what} by ${process.name} took ${handOvers.of(receipt)?.position} from its holder`);
  }
}

/** Hints are late, or never come: asking again after a while must suffice. */
async function watchBadly<Receipt>(
  { inner, network, process, dice }: FaultyLinkOptions<Receipt>,
  from: Address,
  wake: () => void,
) {
  if (!inner.watch) return () => {};
  const cancel = await inner.watch(from, () => {
    if (!network.isCalm && dice.chance(0.3)) network.count("hint-lost");
    else process.later(dice.between(0, 5), wake);
  });
  process.onCrash(cancel);
  return cancel;
}
