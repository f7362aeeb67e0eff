import { startPostgres } from "../test/servers/postgres.ts";
import { noRabbitmq, rabbitmqBroker } from "../test/servers/rabbitmq.ts";
import { bareVariant, type DrainBench, drainVariant } from "./drain-variants.ts";
import { durable } from "./ledger.ts";
import { copyVariant } from "./ledger-variants.ts";
import { type Ratio, type Suite, thenClose } from "./suite.ts";

const letters = 10_000;
const connections = 2;

/** A dead-letter queue of RabbitMQ into the ledger, beside the bare client that writes down what it takes. */
export async function suite(): Promise<Suite> {
  if (noRabbitmq !== undefined) throw new Error(noRabbitmq);
  const [server, broker] = await Promise.all([startPostgres(durable), rabbitmqBroker()]);
  const bench: DrainBench = { url: server.url(), connections, letters, broker: broker.url };
  const variants = [await bareVariant(bench), await drainVariant(bench), await copyVariant(bench)];
  return {
    about:
      `A quorum queue of RabbitMQ with ${letters} dead letters of about 3 KB, drained into the ledger on PostgreSQL (fsync on), ` +
      `${connections} connections: from the first that is taken to the last that is committed. The bare client acknowledges what it ` +
      "takes and writes rows made ready before by binary COPY, in batches of 500; raw COPY writes those rows without a broker.",
    unit: "letters/s",
    rounds: 5,
    variants: thenClose(variants, { close: async () => void (await Promise.all([server.close(), broker.close()])) }),
    ratios: [ratio("drain", "amqplib and COPY"), ratio("drain", `raw COPY, ${connections} connections`)],
  };
}

function ratio(ours: string, theirs: string): Ratio {
  return {
    ...{ name: `${ours} beside ${theirs}`, goal: 0.55, is: "at least" },
    value: (median) => median(ours) / median(theirs),
  };
}
