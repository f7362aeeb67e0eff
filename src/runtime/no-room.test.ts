import { expect, it } from "vitest";
import { OfficeError } from "../domain/errors.ts";
import { type Delivery, makeMessage, type Verdict } from "../domain/message.ts";
import { fakeHost } from "../testing/fake-host.ts";
import { memoryTransport } from "../transports/memory.ts";
import type { Transport } from "../transports/transport.ts";
import { createConsumer } from "./consumer.ts";

const tooLarge = () => Promise.reject(new OfficeError("MESSAGE_TOO_LARGE", "No room."));

/** What becomes of one delivery, and how often its handler ran. */
async function handled(delivery: Partial<Delivery>) {
  const host = fakeHost();
  const own = { source: { name: "orders" }, position: null, redelivered: true, extend: async () => true };
  const given: Delivery = {
    message: makeMessage({ body: "1" }),
    ...own,
    deliveryCount: 2,
    charge: tooLarge,
    ...delivery,
  };
  const verdicts: Verdict[] = [];
  const memory = memoryTransport({ host });
  const transport: Transport = {
    ...{ broker: "memory", capabilities: memory.capabilities, send: async () => {}, close: async () => {} },
    async consume(_from, handle) {
      verdicts.push(await handle(given));
    },
  };
  let runs = 0;
  const handler = async () => {
    runs += 1;
  };
  await createConsumer({ transport, queue: "orders", handler, host }).start();
  return { kinds: verdicts.map(({ kind }) => kind), runs };
}

it("runs what has no room for a charge without one, until it was given out more often than it may crash", async () => {
  expect(await handled({ deliveryCount: 2 })).toEqual({ kinds: ["done"], runs: 1 });
  expect(await handled({ deliveryCount: 3 })).toEqual({ kinds: ["done"], runs: 1 });
  expect(await handled({ deliveryCount: 4 })).toEqual({ kinds: ["dead-letter"], runs: 0 });
  expect(await handled({ deliveryCount: null })).toEqual({ kinds: ["dead-letter"], runs: 0 });
});

it("makes a dead letter of what nobody can read, and runs no handler", async () => {
  const unreadable = new OfficeError("INVALID_MESSAGE", "Its body is gone.");
  const first = { redelivered: false, deliveryCount: 1, unreadable };
  expect(await handled(first)).toEqual({ kinds: ["dead-letter"], runs: 0 });
});
