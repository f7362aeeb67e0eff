import { expect, it } from "vitest";
import { Unprocessable } from "../domain/handler-errors.ts";
import { releaseMessage } from "../domain/key-release.ts";
import { headerText, makeMessage } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import { memoryBlockedKeys } from "../stores/memory-blocked-keys.ts";
import { fakeHost } from "../testing/fake-host.ts";
import { memoryTransport } from "../transports/memory.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import type { Transport } from "../transports/transport.ts";
import { createConsumer } from "./consumer.ts";

const [queue, parked] = [{ name: "accounts" }, { name: "accounts.parked" }];

/** An ordered consumer in fake time, on which `a1` dies. Gives which look has seen each parked message last. */
function bench({ saysDepth }: { readonly saysDepth: boolean }) {
  const host = fakeHost();
  const { clock } = host;
  const [broker, store] = [memoryBroker({ clock }), memoryBlockedKeys({ clock })];
  const transport = memoryTransport({ broker, host, holdsBack: false });
  const succeeded: string[] = [];
  const consumer = createConsumer<string>({
    ...{ transport: saysDepth ? transport : silent(transport), queue, host, blockedKeys: store },
    ...{ order: "key", decode: "text", breaker: false },
    async handler({ payload }) {
      if (payload === "a1") throw new Unprocessable("never");
      succeeded.push(payload);
    },
  });
  void consumer.start();
  for (const body of ["a1", "a2", "a3"]) broker.send(queue, makeMessage({ body, key: "a" }));
  const looks = () => broker.messages(parked.name).map(({ headers }) => headerText(headers, wire.pass));
  return { clock, broker, store, succeeded, looks };
}

/** It does not say how much is in a queue. */
function silent(transport: Transport): Transport {
  return {
    broker: transport.broker,
    capabilities: transport.capabilities,
    send: (...of) => transport.send(...of),
    consume: (...of) => transport.consume(...of),
    close: () => transport.close(),
  };
}

it("takes nothing out to look for release messages while no more is parked than the store knows of", async () => {
  const { clock, broker, store, succeeded, looks } = bench({ saysDepth: true });
  await clock.advance(4 * 3_600_000);
  expect(looks()).toEqual([undefined, undefined]);

  // One that asks for nothing, once seen, is no sign any more.
  broker.send(parked, makeMessage({ body: "a stranger" }));
  await clock.advance(120_000);
  const [first, ...others] = looks();
  expect([first, ...others]).toEqual([expect.any(String), first, first]);
  await clock.advance(1_800_000);
  expect(looks()).toEqual([first, first, first]);

  const [blocked] = await store.list("accounts");
  const key = new TextEncoder().encode("a");
  const { to, message } = releaseMessage({ queue: "accounts", key, number: blocked?.number ?? 0 });
  broker.send(to, message);
  await clock.advance(120_000);
  expect(succeeded).toEqual(["a2", "a3"]);
});

it("looks for release messages less and less often where a broker does not say how much is parked", async () => {
  const { clock, looks } = bench({ saysDepth: false });
  const seen = new Set<string | undefined>();
  for (let minutes = 0; minutes < 240; minutes++) {
    await clock.advance(60_000);
    seen.add(looks()[0]);
  }
  expect(seen.size).toBeGreaterThan(10);
  expect(seen.size).toBeLessThan(40);
});
