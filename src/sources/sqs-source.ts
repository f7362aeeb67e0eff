import { pause } from "../domain/clock.ts";
import { isOfficeError, OfficeError } from "../domain/errors.ts";
import type { Address, Message } from "../domain/message.ts";
import { queueNames } from "../domain/wire.ts";
import { systemHost } from "../system/host.ts";
import { pullTransport } from "../transports/pull-transport.ts";
import { sqsPlace } from "../transports/sqs/address.ts";
import { SqsConnection } from "../transports/sqs/connection.ts";
import { type QueueFacts, readQueue } from "../transports/sqs/facts.ts";
import { isFifoName, sqsName } from "../transports/sqs/queue-names.ts";
import { asSqs, sqsLink, sqsTransportDefaults } from "../transports/sqs/transport.ts";
import type { OpenedSource, OpenParts } from "./opened-source.ts";
import { noPeek } from "./peek.ts";
import type { QueueCondition } from "./queue-condition.ts";
import { plainLine } from "./send-line.ts";

/** What SQS says of how much is in a queue may be a minute old. */
const countedWithinMs = 60_000;

/**
 * Queues of one account and region, standard and FIFO. Looking at a message would count as a receive and hide it, so letters
 * are only ever taken.
 */
export async function openSqs({ url, clock }: OpenParts): Promise<OpenedSource> {
  const settings = { ...sqsTransportDefaults, ...sqsPlace(url), topology: "check", waitMs: 1_000 } as const;
  const transport = pullTransport(sqsLink(settings, { asGuest: true }), { ...asSqs(settings), host: systemHost });
  // Nothing is sent twice behind our back: what became of a send must be known.
  const connection = new SqsConnection({ ...settings, makes: false, maxAttempts: 1 });
  const find = finder(connection);
  return {
    transport,
    group: null,
    addressOf: (queue) => find(queue),
    line: () =>
      plainLine(async (queue, message) => {
        const address = await find(queue, isOfFifo(message));
        if (address === null) throw new OfficeError("QUEUE_NOT_FOUND", `There is no queue ${queue} any more.`);
        await transport.send(address, message, { onward: true });
      }),
    look: (queue) => look(connection, find, queue),
    async watch(queue) {
      const beganAt = clock.now();
      return async () => {
        await pause(clock, Math.max(0, beganAt + countedWithinMs - clock.now()));
        const address = await find(queue);
        return address !== null && (await factsOf(connection, address)).depth === 0;
      };
    },
    async countBeside(queue) {
      const address = await find(queueNames.parked(queue));
      return address === null ? 0 : (await factsOf(connection, address)).depth;
    },
    async parkedOf(queue) {
      const address = await find(queueNames.parked(queue), true);
      return address !== null && isFifoName(address.name) ? address : null;
    },
    peek: noPeek(
      "SQS shows a message only by receiving it: that hides it from others for a while and counts towards `maxReceiveCount`.",
      "Drain the queue (`dlo drain`): its letters can be given back.",
    ),
    async close() {
      await Promise.all([transport.close(), connection.close()]);
    },
  };
}

/** `isFromFifo`: a letter goes there that came from a FIFO queue. */
type Find = (queue: string, isFromFifo?: boolean) => Promise<Address | null>;

/**
 * A queue that a consumer of ours calls `orders` may be `orders` at SQS, or `orders.fifo`. Where there are both, it is the one of the
 * kind that its letter came from.
 */
function finder(connection: SqsConnection): Find {
  return async (queue, isFromFifo = false) => {
    for (const fifo of isFifoName(queue) ? [true] : [isFromFifo, !isFromFifo]) {
      const name = sqsName({ name: queue }, fifo);
      if (await isThere(connection, name)) return { name };
    }
    return null;
  };
}

/** Only messages of FIFO queues have a number. */
function isOfFifo({ properties }: Message): boolean {
  return properties.some(({ name }) => name === "SequenceNumber");
}

async function isThere(connection: SqsConnection, name: string): Promise<boolean> {
  try {
    await connection.urlOf(name);
    return true;
  } catch (error) {
    if (isOfficeError(error, "QUEUE_NOT_FOUND")) return false;
    throw error;
  }
}

async function factsOf(connection: SqsConnection, { name }: Address): Promise<QueueFacts> {
  return readQueue(connection, name, await connection.urlOf(name));
}

/** By its redrive policy, or by its consumer, as far as there is a queue of that name. */
async function look(connection: SqsConnection, find: Find, queue: string): Promise<QueueCondition> {
  const address = await find(queue);
  const condition = { address, otherGroups: [] };
  if (address === null) return { ...condition, keepsNextDeath: null, keepsOrder: null, lag: null };
  const { redrive, depth } = await factsOf(connection, address);
  return {
    ...condition,
    keepsNextDeath: redrive !== null || (await find(queueNames.deadLetters(queue))) !== null,
    keepsOrder: address.name.endsWith(".fifo") ? "by_key" : "never",
    lag: depth,
  };
}
