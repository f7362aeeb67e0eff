import { expect, it } from "vitest";
import { makeMessage } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import { memoryBlockedKeys } from "../stores/memory-blocked-keys.ts";
import { failureId } from "./failure-id.ts";
import { OrderedDelivery } from "./ordered-delivery.ts";

const message = makeMessage({ body: '{"order":"o-1"}' });
const sent = { message, source: { name: "orders" }, position: null, sendId: "send-1" };
const kept = { message, source: { name: "orders", group: "billing" }, position: "0:17" };

it("names an attempt of a message the same each time it is made, and nothing else so", () => {
  const again = {
    ...sent,
    message: { ...message, headers: makeMessage({ headers: { "dlo-history": "[]" } }).headers },
  };
  expect(failureId(again, 3)).toBe(failureId(sent, 3));
  const replayed = { ...message, headers: makeMessage({ headers: { [wire.replay]: "rpl_1/1" } }).headers };
  const others = [
    failureId(sent, 3),
    failureId(sent, 4),
    failureId({ ...sent, sendId: "send-2" }, 3),
    failureId({ ...sent, source: { name: "refunds" } }, 3),
    failureId({ ...sent, message: replayed }, 3),
    failureId(kept, 3),
    failureId({ ...kept, position: "0:18" }, 3),
    // A topic that was made anew begins at 0 again.
    failureId({ ...kept, message: makeMessage({ body: "other" }) }, 3),
  ];
  expect(new Set(others).size).toBe(others.length);
  expect(others[0]).toMatch(/^[\da-f]{32}$/);
});

it("names nothing where equal messages cannot be told apart", () => {
  expect(failureId({ ...sent, sendId: null }, 3)).toBe(null);
});

it("names the failure of an ordered message as well", () => {
  const lane = { queue: "orders", key: new Uint8Array(1) };
  const delivery = {
    ...sent,
    redelivered: false,
    deliveryCount: null,
    charge: async () => "charged" as const,
    extend: async () => true,
  };
  const parts = {
    store: memoryBlockedKeys(),
    mark: new Uint8Array(1),
    copy: null,
    turn: "1",
    number: 7,
    leaseMs: 30_000,
  };
  const ordered = new OrderedDelivery({ delivery, message, lane, ...parts, carriesNumber: true, revived: false });
  expect(failureId(ordered, 3)).toBe(failureId(sent, 3));
});
