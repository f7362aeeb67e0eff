import { natsBroker, noNats } from "../test/servers/nats.ts";
import { childVariant } from "./child-variant.ts";
import { type Suite, thenClose } from "./suite.ts";

const bare = "@nats-io/jetstream alone, consume and ack";
const runtime = "runtime";

/** How many messages a second one process gets through, beside the bare client that does the same work. */
export async function suite(): Promise<Suite> {
  if (noNats !== undefined) throw new Error(noNats);
  const broker = await natsBroker();
  // The children find it there.
  process.env.DLO_BENCH_NATS_URL = broker.url;
  const file = new URL("./nats-variants.ts", import.meta.url);
  return {
    about:
      "NATS: messages a second of 1 KB, from the first handled to the last, by one process and a handler that does\n" +
      "nothing; 20,000 at a time from a stream on disk, 500 in hand.",
    unit: "messages/s",
    rounds: 7,
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
