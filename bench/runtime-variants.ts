import { done, makeMessage } from "../src/domain/message.ts";
import { createConsumer } from "../src/runtime/consumer.ts";
import type { Decoding } from "../src/runtime/decode.ts";
import type { Observer } from "../src/runtime/events.ts";
import { memoryTransport } from "../src/transports/memory.ts";
import { type MemoryBroker, memoryBroker } from "../src/transports/memory-broker.ts";
import type { Transport } from "../src/transports/transport.ts";
import { serveSamples } from "./child-variant.ts";

const messages = 50_000;
const load = { concurrency: 50, prefetch: 250 };
const queue = { name: "bench" };
const message = makeMessage({ body: '{"id":42,"total":"19.90","currency":"EUR"}' });

/** Consumes all messages; `seen` is to be called for each. */
type Consume = (transport: Transport, seen: () => void) => { stop: () => Promise<unknown> };

const alone: Consume = (transport, seen) => {
  const stop = new AbortController();
  const options = { ...load, order: "none", leaseMs: 60_000, returnDelayMs: 5_000, signal: stop.signal } as const;
  const handle = async () => {
    seen();
    return done;
  };
  const consumed = transport.consume(queue, handle, options);
  return {
    stop() {
      stop.abort();
      return consumed;
    },
  };
};

const runtime =
  (decode: Decoding, observers: readonly Observer[] = []): Consume =>
  (transport, seen) => {
    const consumer = createConsumer({ transport, queue, decode, observers, ...load, handler: async () => seen() });
    void consumer.start();
    return consumer;
  };

/** Microseconds of processor time, all threads, for each message. */
async function sample(consume: Consume): Promise<number> {
  const broker = filled();
  const transport = memoryTransport({ broker });
  let left = messages;
  const before = process.cpuUsage();
  const consumer = await new Promise<ReturnType<Consume>>((resolve) => {
    const started = consume(transport, () => {
      left -= 1;
      if (left === 0) resolve(started);
    });
  });
  await consumer.stop();
  const { user, system } = process.cpuUsage(before);
  await transport.close();
  return (user + system) / messages;
}

function filled(): MemoryBroker {
  const broker = memoryBroker();
  for (let n = 0; n < messages; n++) broker.send(queue, message);
  return broker;
}

serveSamples({
  "transport alone": () => sample(alone),
  "runtime, bytes": () => sample(runtime("bytes")),
  "runtime, JSON": () => sample(runtime("json")),
  "runtime, JSON, observed": () => sample(runtime("json", [{ event: () => {} }])),
});
