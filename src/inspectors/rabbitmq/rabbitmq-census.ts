import type { QueueCensus, TakeCensus } from "../census.ts";
import { managementOf, vhostOf } from "./inspect-rabbitmq.ts";
import { fieldOf, managementApi } from "./management-api.ts";

/** Each queue is a question of its own, since the listing of all would compute the statistics of all. */
export const rabbitmqCensus: TakeCensus = async (place, queues, { signal }) => {
  const api = managementApi(managementOf(place), signal);
  const vhost = encodeURIComponent(vhostOf(place.url));
  const found: QueueCensus[] = [];
  for (const queue of queues) {
    const facts = await api.get(`/queues/${vhost}/${encodeURIComponent(queue)}`);
    if (facts !== null) found.push(censusOf(queue, facts));
  }
  return found;
};

function censusOf(queue: string, facts: unknown): QueueCensus {
  const bytes = fieldOf(facts, "message_bytes");
  const consumers = fieldOf(facts, "consumer_details");
  return {
    queue,
    bytes: typeof bytes === "number" ? bytes : null,
    consumers: Array.isArray(consumers) ? consumers.map(inWords) : null,
  };
}

function inWords(consumer: unknown): string {
  const channel = fieldOf(consumer, "channel_details");
  const user = fieldOf(channel, "user");
  const host = fieldOf(channel, "peer_host");
  const who = typeof user === "string" ? user : "somebody";
  return typeof host === "string" ? `${who} at ${host}` : who;
}
