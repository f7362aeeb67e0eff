import { startPostgres } from "../test/servers/postgres.ts";
import { noRabbitmq, rabbitmqBroker } from "../test/servers/rabbitmq.ts";
import { bareVariant, benchSession, type DrainBench, drainVariant } from "./drain-variants.ts";
import { durable } from "./ledger.ts";
import { copyVariant } from "./ledger-variants.ts";
import { type Ratio, type Suite, thenClose } from "./suite.ts";

const letters = 10_000;

/** A dead-letter queue of RabbitMQ into the ledger, beside the bare client that writes down what it takes. */
export async function suite(): Promise<Suite> {
  if (noRabbitmq !== undefined) throw new Error(noRabbitmq);
  const [server, broker] = await Promise.all([startPostgres(durable), rabbitmqBroker()]);
  const at = (connections: number): DrainBench => ({ url: server.url(), connections, letters, broker: broker.url });
  const variants = [
    await bareVariant(at(2)),
    await drainVariant(at(2)),
    await copyVariant(at(2), benchSession),
    await drainVariant(at(1)),
    await copyVariant(at(1), benchSession),
  ];
  return {
    about:
      `A quorum queue of RabbitMQ with ${letters} dead letters of about 3 KB, drained into the ledger on PostgreSQL (fsync on): from ` +
      "the first that is taken to the last that is committed. The bare client has 2 connections, acknowledges what it takes and " +
      "writes letters that were read before by binary COPY, in batches of 500; raw COPY writes them without a broker. Both write " +
      "the rows that a drain writes, into the same tables with the same indexes.",
    unit: "letters/s",
    rounds: 5,
    variants: thenClose(variants, { close: async () => void (await Promise.all([server.close(), broker.close()])) }),
    ratios: [
      ratio("drain, 1 connection", "raw COPY, 1 connection"),
      ratio("drain, 2 connections", "raw COPY, 2 connections"),
      ratio("drain, 2 connections", "amqplib and COPY"),
    ],
  };
}

function ratio(ours: string, theirs: string): Ratio {
  return {
    ...{ name: `${ours} beside ${theirs}`, goal: 0.55, is: "at least" },
    value: (median) => median(ours) / median(theirs),
  };
}
