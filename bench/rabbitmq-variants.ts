import { type ChannelModel, connect } from "amqplib";
import { makeMessage } from "../src/domain/message.ts";
import { rabbitmqTransport } from "../src/rabbitmq.ts";
import { serveSamples } from "./child-variant.ts";
import type { Sample } from "./suite.ts";
import { type Consume, handle, transportAlone, wholeRuntime, workOff } from "./work-off.ts";

const url = process.env.DLO_BENCH_RABBITMQ_URL ?? "";
const messages = 20_000;
const sentAtOnce = 1_000;
const prefetch = 250;
const body = Buffer.alloc(1_024, "x");

/** Messages a second, from the first that was handled to the last, from a queue made and filled for it. */
async function sample(consume: Consume): Promise<Sample> {
  const queue = `bench-${process.pid}-${performance.now()}`;
  await fill(queue);
  const measured = await workOff(consume, queue, messages);
  await withModel(async (model) => {
    const channel = await model.createChannel();
    for (const name of [queue, `${queue}.dlq`]) await channel.deleteQueue(name);
  });
  return measured;
}

/** The queue as the transport makes it, filled by it as well: both sides find the same. */
async function fill(queue: string): Promise<void> {
  const transport = rabbitmqTransport({ url });
  const message = makeMessage({ body });
  // Not all at once: on a busy machine the last would not be confirmed in time.
  for (let sent = 0; sent < messages; sent += sentAtOnce) {
    await Promise.all(Array.from({ length: sentAtOnce }, () => transport.send({ name: queue }, message)));
  }
  await transport.close();
}

async function withModel(work: (model: ChannelModel) => Promise<unknown>): Promise<void> {
  const model = await connect(url, { noDelay: true });
  await work(model);
  await model.close();
}

const bareClient: Consume = async (queue, handled) => {
  const model = await connect(url, { noDelay: true });
  const channel = await model.createChannel();
  await channel.prefetch(prefetch);
  await channel.consume(queue, (message) => {
    if (message !== null) void handle(handled).then(() => channel.ack(message));
  });
  return async () => {
    // The last one is still to be acknowledged.
    await new Promise((resolve) => setImmediate(resolve));
    await model.close();
  };
};

function ours(acknowledge: "coalesced" | "each") {
  return { open: () => rabbitmqTransport({ url, acknowledge }), prefetch };
}

serveSamples({
  "amqplib alone, acknowledging each": () => sample(bareClient),
  "transport alone, acknowledging each": () => sample(transportAlone(ours("each"))),
  "transport alone, coalesced": () => sample(transportAlone(ours("coalesced"))),
  "runtime, acknowledging each": () => sample(wholeRuntime(ours("each"))),
  "runtime, coalesced": () => sample(wholeRuntime(ours("coalesced"))),
});
