import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { makeMessage } from "../src/domain/message.ts";
import { natsTransport } from "../src/nats.ts";
import { serveSamples } from "./child-variant.ts";
import type { Sample } from "./suite.ts";
import { type Consume, handle, transportAlone, wholeRuntime, workOff } from "./work-off.ts";

const url = process.env.DLO_BENCH_NATS_URL ?? "";
const messages = 20_000;
const atOnce = 1_000;
const prefetch = 500;
const group = "bench";
const body = Buffer.alloc(1_024, "x");

/** Messages a second, from the first that was handled to the last, from a stream made and filled for it. */
async function sample(consume: Consume): Promise<Sample> {
  const subject = `bench-${process.pid}-${Math.round(performance.now())}`;
  await fill(subject);
  const measured = await workOff(consume, subject, messages);
  const client = await connect({ servers: url });
  await (await jetstreamManager(client)).streams.delete(subject);
  await client.close();
  return measured;
}

/** Filled by the transport, which makes the stream: both sides find the same. */
async function fill(subject: string): Promise<void> {
  const transport = natsTransport({ url });
  const message = makeMessage({ body });
  for (let sent = 0; sent < messages; sent += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => transport.send({ name: subject }, message)));
  }
  await transport.close();
}

/** As the client's own documents have it: it asks for more while it handles what has come. */
const bareClient: Consume = async (subject, handled) => {
  const client = await connect({ servers: url });
  const manager = await jetstreamManager(client);
  const limits = { max_ack_pending: -1, ack_wait: 60e9 };
  await manager.consumers.add(subject, { durable_name: group, ack_policy: "explicit", ...limits });
  const consumer = await jetstream(client).consumers.get(subject, group);
  const incoming = await consumer.consume({ max_messages: prefetch });
  const working = (async () => {
    for await (const message of incoming) {
      await handle(handled);
      message.ack();
    }
  })();
  return async () => {
    await incoming.close();
    await working;
    await client.close();
  };
};

const ours = { open: () => natsTransport({ url }), prefetch, address: (name: string) => ({ name, group }) };

serveSamples({
  "@nats-io/jetstream alone, consume and ack": () => sample(bareClient),
  runtime: () => sample(wholeRuntime(ours)),
  "transport alone": () => sample(transportAlone(ours)),
});
