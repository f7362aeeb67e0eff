import { kafkaBroker, noKafka } from "../test/servers/kafka.ts";
import { childVariant } from "./child-variant.ts";
import { type Suite, thenClose } from "./suite.ts";

const bare = "@platformatic/kafka alone";
const runtime = "runtime";

/** How many messages a second one process gets through, beside the bare client that does the same work. */
export async function suite(): Promise<Suite> {
  if (noKafka !== undefined) throw new Error(noKafka);
  const broker = await kafkaBroker();
  // The children find it there.
  process.env.DLO_BENCH_KAFKA_BROKERS = broker.brokers.join(",");
  const file = new URL("./kafka-variants.ts", import.meta.url);
  return {
    about:
      "Kafka: messages a second of 1 KB, from the first handled to the last, by one process and a handler that does\n" +
      "nothing; 100,000 at a time from four partitions. Commits one after the other, each with all that is finished.",
    unit: "messages/s",
    rounds: 9,
    variants: thenClose(
      [bare, runtime, "transport alone"].map((name) => childVariant(name, file)),
      broker,
    ),
    ratios: [
      {
        name: `${runtime}, against ${bare}`,
        value: (median) => median(runtime) / median(bare),
        goal: 0.9,
        is: "at least",
      },
    ],
  };
}
