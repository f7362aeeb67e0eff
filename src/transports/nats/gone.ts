import type { NatsConnection } from "./connection.ts";
import type { Reader } from "./topology.ts";

/** More than these at a time are left for the next. */
const mostAtOnce = 20_000;

/**
 * Acknowledges what a consumer waits for though its stream no longer has it. A server that is killed may remember that a message
 * was deleted and not that it was acknowledged before: up to NATS 2.9 at least, it then tries to give it out for ever, and little
 * else. Of what does not exist nothing can be lost.
 */
export async function acknowledgeGone(connection: NatsConnection, { stream, consumer }: Reader): Promise<void> {
  const reading = await connection.manage((manager) => manager.consumers.info(stream, consumer));
  if (reading.num_ack_pending === 0) return;
  const { state } = await connection.manage((manager) => manager.streams.info(stream, { deleted_details: true }));
  const [after, last] = [reading.ack_floor.stream_seq, reading.delivered.stream_seq];
  const below = Math.min(last, state.first_seq - 1, after + mostAtOnce);
  const gone = Array.from({ length: Math.max(0, below - after) }, (_, index) => after + 1 + index);
  const among = (state.deleted ?? []).filter((seq) => seq > after && seq <= last).slice(0, mostAtOnce);
  // The server goes by the first number after the deliveries, the message's; of the others it knows its own.
  const subjects = [...gone, ...among].map((seq) => `$JS.ACK.${stream}.${consumer}.1.${seq}.0.0.0`);
  await connection.tellAll(subjects, "+ACK");
}
