import { noSqs, sqsServer } from "../test/servers/elasticmq.ts";
import { childVariant } from "./child-variant.ts";
import { type Suite, thenClose } from "./suite.ts";

const bare = "client alone, received and deleted by ten";
const runtime = "runtime";

/** How many messages a second one process gets through, beside the bare client that does the same work. */
export async function suite(): Promise<Suite> {
  if (noSqs !== undefined) throw new Error(noSqs);
  const server = await sqsServer();
  // The children find it there.
  process.env.DLO_BENCH_SQS_ENDPOINT = server.endpoint;
  const file = new URL("./sqs-variants.ts", import.meta.url);
  return {
    about:
      "SQS (ElasticMQ, in memory): messages a second of 1 KB, from the first handled to the last, by one process and a handler\n" +
      "that does nothing; 2,000 at a time from a queue, 100 in hand, ten with each request and ten requests at a time.",
    unit: "messages/s",
    rounds: 7,
    variants: thenClose(
      [bare, runtime, "transport alone"].map((name) => childVariant(name, file)),
      server,
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
