import type { ConsumerInfo, StreamInfo } from "@nats-io/jetstream";
import type { NatsConnection } from "./connection.ts";
import { isGone } from "./refusal.ts";

export type { ConsumerInfo, StreamInfo };

/** Where the server tells of messages that it gave up, or that a consumer ended. Nobody hears it later who did not listen. */
export const advisorySubjects = {
  all: "$JS.EVENT.ADVISORY.",
  gaveUp: "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>",
  ended: "$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.>",
  gaveUpOf: (stream: string, consumer: string): string =>
    `$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.${stream}.${consumer}`,
} as const;

/** The stream that has this subject; null: none has. */
export async function streamOf(connection: NatsConnection, subject: string): Promise<StreamInfo | null> {
  return orNull(connection.manage(async (manager) => manager.streams.info(await manager.streams.find(subject))));
}

export async function allStreams(connection: NatsConnection): Promise<readonly StreamInfo[]> {
  return connection.manage(async (manager) => {
    const streams: StreamInfo[] = [];
    for await (const stream of manager.streams.list()) streams.push(stream);
    return streams;
  });
}

export async function consumersOf(connection: NatsConnection, stream: string): Promise<readonly ConsumerInfo[]> {
  return connection.manage(async (manager) => {
    const consumers: ConsumerInfo[] = [];
    for await (const consumer of manager.consumers.list(stream)) consumers.push(consumer);
    return consumers;
  });
}

/** Null: it is not there. */
export async function orNull<Answer>(asking: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asking;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** Whether messages of `subject` are among those of `pattern`. */
export function covers(pattern: string, subject: string): boolean {
  const [wanted, tokens] = [pattern.split("."), subject.split(".")];
  const isRest = wanted.at(-1) === ">";
  if (isRest ? tokens.length < wanted.length : tokens.length !== wanted.length) return false;
  return wanted.every((token, index) => token === ">" || token === "*" || token === tokens[index]);
}

/** Messages that a consumer has not settled: read or unread. */
export function unsettledIn({ num_pending: unread, num_ack_pending: out }: ConsumerInfo): number {
  return unread + out;
}
