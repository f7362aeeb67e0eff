import { startPostgres } from "../test/servers/postgres.ts";
import { noRabbitmqServer, startRabbitmq } from "../test/servers/rabbitmq.ts";
import { childVariant } from "./child-variant.ts";
import { durable } from "./ledger.ts";
import { type Ratio, type Suite, thenClose } from "./suite.ts";

const shovel = "shovel";
const bare = "bare publish loop";

/** Letters of the ledger back to RabbitMQ, beside the broker's own shovel and a loop that only publishes. */
export async function suite(letters = 50_000): Promise<Suite> {
  if (noRabbitmqServer !== undefined) throw new Error(noRabbitmqServer);
  const [server, broker] = await Promise.all([startPostgres(durable), startRabbitmq({ plugins: ["rabbitmq_shovel"] })]);
  // The children find them there.
  Object.assign(process.env, {
    ...{ DLO_BENCH_POSTGRES_URL: server.url(), DLO_BENCH_LETTERS: String(letters) },
    ...{ DLO_BENCH_RABBITMQ_URL: broker.url, DLO_BENCH_RABBITMQ_API: broker.managementUrl },
  });
  const file = new URL("./replay-variants.ts", import.meta.url);
  const names = ["quorum", "classic"].flatMap((type) => ["replay", shovel, bare].map((move) => `${move}, ${type}`));
  return {
    about:
      `${letters} messages of about 1.5 KB into a queue of RabbitMQ. The replay takes them from the ledger on PostgreSQL (fsync,\n` +
      "synchronous_commit and full_page_writes on), each judged again, intended before it is sent and noted afterwards; ramp and\n" +
      "rate cap are off. The shovel moves the same messages from queue to queue (on-confirm, prefetch 1000), from the first that\n" +
      "arrives; the loop publishes them from memory (amqplib, 1000 unconfirmed).",
    unit: "messages/s",
    rounds: 3,
    variants: thenClose(
      names.map((name) => childVariant(name, file)),
      { close: async () => void (await Promise.all([server.close(), broker.close()])) },
    ),
    ratios: [
      ...[beside("quorum", shovel, 0.75), beside("classic", shovel, 0.9)],
      ...[beside("quorum", bare, 0.4), beside("classic", bare, 0.4)],
      ...[memory("quorum"), memory("classic")],
    ],
  };
}

function beside(type: string, other: string, goal: number): Ratio {
  const value: Ratio["value"] = (median) => median(`replay, ${type}`) / median(`${other}, ${type}`);
  return { name: `replay beside ${other}, ${type}`, value, goal, is: "at least" };
}

function memory(type: string): Ratio {
  const value: Ratio["value"] = (_median, growth) => growth(`replay, ${type}`);
  return { name: `replay's memory, second half beside the first, ${type}`, value, goal: 1.25, is: "at most" };
}
