import { inspectSource } from "../doctor/inspect-source.ts";
import { pause } from "../domain/clock.ts";
import { isOfficeError } from "../domain/errors.ts";
import { rabbitmqTransport } from "../transports/rabbitmq/transport.ts";
import { sourceOf } from "../wiring/names.ts";
import type { WiredQueue, Wiring } from "../wiring/wiring.ts";
import type { OpenedSource, OpenParts } from "./opened-source.ts";
import type { QueueCondition } from "./queue-condition.ts";
import { plainLine } from "./send-line.ts";

/** RabbitMQ counts what is in its queues every five seconds: a number younger than two of those may be an old one. */
const countedWithinMs = 11_000;
const lookWithinMs = 10_000;

export async function openRabbitmq(parts: OpenParts): Promise<OpenedSource> {
  const { url, clock } = parts;
  const transport = rabbitmqTransport({ url, topology: "check", name: "dlo office" });
  return {
    transport,
    group: null,
    addressOf: async (queue) => ({ name: queue }),
    line: () => plainLine((name, message) => transport.send({ name }, message, { onward: true })),
    look: async (queue) => conditionOf(queue, await wiringOf(parts)),
    async watch(queue) {
      const beganAt = clock.now();
      return async () => {
        await pause(clock, Math.max(0, beganAt + countedWithinMs - clock.now()));
        return queueIn(await wiringOf(parts), queue)?.depth === 0;
      };
    },
    close: () => transport.close(),
  };
}

/** Null where the management API does not answer: then only what AMQP itself says is known. */
async function wiringOf({ source, origin, clock }: OpenParts): Promise<Wiring | null> {
  const { signal } = new AbortController();
  try {
    return (await inspectSource(source, { origin, clock, signal, limitMs: lookWithinMs })).wiring;
  } catch (error) {
    if (isOfficeError(error)) return null;
    throw error;
  }
}

function queueIn(wiring: Wiring | null, name: string): WiredQueue | undefined {
  return wiring?.queues.find((queue) => queue.name === name);
}

function conditionOf(name: string, wiring: Wiring | null): QueueCondition {
  const queue = queueIn(wiring, name);
  const isThere = wiring === null || queue !== undefined;
  return {
    address: isThere ? { name } : null,
    keepsNextDeath: wiring === null || queue === undefined ? null : keepsNextDeath(queue, wiring),
    otherGroups: [],
    lag: queue?.depth ?? null,
  };
}

/** A queue without an exchange for its dead letters may have consumers that send them on themselves, as our runtime does. */
function keepsNextDeath({ name, deadLettering }: WiredQueue, { queues }: Wiring): boolean | null {
  if (deadLettering === "unseen") return null;
  if (deadLettering === null) return queues.some((queue) => sourceOf(queue.name) === name);
  return deadLettering.targetsAfterReplay === null ? null : deadLettering.targetsAfterReplay.length > 0;
}
