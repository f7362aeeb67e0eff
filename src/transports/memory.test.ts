import { expect, it } from "vitest";
import { done, makeMessage } from "../domain/message.ts";
import { systemClock } from "../system/host.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { memoryTransport } from "./memory.ts";
import { memoryBroker } from "./memory-broker.ts";

const options = { concurrency: 50, prefetch: 100, order: "none", leaseMs: 30_000, returnDelayMs: 5_000 } as const;

it("lets timers and sockets in while it works off a long queue", async () => {
  const broker = memoryBroker();
  const transport = memoryTransport({ broker });
  for (let index = 0; index < 200_000; index++) broker.send({ name: "q" }, makeMessage({ body: "x" }));
  const stop = new AbortController();
  let handled = 0;
  systemClock.after(1, () => stop.abort());
  const handle = async () => {
    handled += 1;
    return done;
  };
  await transport.consume({ name: "q" }, handle, { ...options, signal: stop.signal });
  expect(handled).toBeGreaterThan(0);
  expect(broker.depth("q")).toBe(200_000 - handled);
  expect(handled).toBeLessThan(200_000);
});

it("goes by the clock of the broker it is given", async () => {
  const clock = fakeClock();
  const transport = memoryTransport({ broker: memoryBroker({ clock }) });
  const stop = new AbortController();
  let handled = 0;
  const handle = async () => {
    handled += 1;
    return done;
  };
  void transport.consume({ name: "q" }, handle, { ...options, signal: stop.signal });
  await transport.send({ name: "q" }, makeMessage({ body: "x" }), { delayMs: 3_600_000 });
  await clock.advance(3_599_999);
  expect(handled).toBe(0);
  await clock.advance(1);
  expect(handled).toBe(1);
  stop.abort();
});

it("has a broker of its own unless it is given one", async () => {
  const broker = memoryBroker();
  await memoryTransport().send({ name: "q" }, makeMessage({ body: "x" }));
  await memoryTransport({ broker }).send({ name: "q" }, makeMessage({ body: "y" }));
  expect(broker.depth("q")).toBe(1);
});

it("refuses an option it does not know, with the nearest that it does", () => {
  const misspelt = { brokr: memoryBroker() } as object;
  expect(() => memoryTransport(misspelt)).toThrow("`brokr` is not an option. Did you mean `broker`?");
});
