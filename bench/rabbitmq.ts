import { noRabbitmq, rabbitmqBroker } from "../test/servers/rabbitmq.ts";
import { childVariant } from "./child-variant.ts";
import { type Ratio, type Suite, thenClose } from "./suite.ts";

const bare = "amqplib alone, acknowledging each";
const each = "runtime, acknowledging each";
const coalesced = "runtime, coalesced";

/** How many messages a second one process gets through, beside the bare client that does the same work. */
export async function suite(): Promise<Suite> {
  if (noRabbitmq !== undefined) throw new Error(noRabbitmq);
  const broker = await rabbitmqBroker();
  // The children find it there.
  process.env.DLO_BENCH_RABBITMQ_URL = broker.url;
  const file = new URL("./rabbitmq-variants.ts", import.meta.url);
  const names = [bare, each, coalesced, "transport alone, acknowledging each", "transport alone, coalesced"];
  return {
    about:
      "RabbitMQ: messages a second of 1 KB, from the first handled to the last, by one process and a handler that does\n" +
      "nothing; 20,000 at a time from a quorum queue, 250 in hand.",
    unit: "messages/s",
    rounds: 9,
    variants: thenClose(
      names.map((name) => childVariant(name, file)),
      broker,
    ),
    ratios: [againstBare(each, 0.9), againstBare(coalesced, 1.1)],
  };
}

function againstBare(name: string, goal: number): Ratio {
  return { name: `${name}, against ${bare}`, value: (median) => median(name) / median(bare), goal, is: "at least" };
}
