import { expect, it } from "vitest";
import { makeMessage } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import { memoryBlockedKeys } from "../stores/memory-blocked-keys.ts";
import { failureId } from "./failure-id.ts";
import { OrderedDelivery } from "./ordered-delivery.ts";

const message = makeMessage({ body: '{"order":"o-1"}' });
const sent = { message, source: { name: "orders" }, sendId: "send-1" };
const kept = { message, source: { name: "orders", group: "billing" } };
const third = { attempt: 3 };
const thirdAt = (position: string) => ({ attempt: 3, position });

it("names an attempt of a message the same each time it is made, and nothing else so", () => {
  const again = {
    ...sent,
    message: { ...message, headers: makeMessage({ headers: { "dlo-history": "[]" } }).headers },
  };
  expect(failureId(again, third)).toBe(failureId(sent, third));
  const replayed = { ...message, headers: makeMessage({ headers: { [wire.replay]: "rpl_1/1" } }).headers };
  const others = [
    failureId(sent, third),
    failureId(sent, { attempt: 4 }),
    failureId({ ...sent, sendId: "send-2" }, third),
    failureId({ ...sent, source: { name: "refunds" } }, third),
    failureId({ ...sent, message: replayed }, third),
    failureId(kept, thirdAt("0:17")),
    failureId(kept, thirdAt("0:18")),
    // A topic that was made anew begins at 0 again.
    failureId({ ...kept, message: makeMessage({ body: "other" }) }, thirdAt("0:17")),
  ];
  expect(new Set(others).size).toBe(others.length);
  expect(others[0]).toMatch(/^[\da-f]{32}$/);
});

it("says of a message that somebody else sent that its failure may have another name as well", () => {
  const name = failureId({ ...sent, sendId: "~send-1" }, third);
  expect(name).toMatch(/^~[\da-f]{32}$/);
  expect(name).toBe(failureId({ ...sent, sendId: "~send-1" }, third));
  expect(name).not.toBe(failureId({ ...sent, sendId: "~send-2" }, third));
});

it("names nothing where equal messages cannot be told apart", () => {
  expect(failureId({ ...sent, sendId: null }, third)).toBe(null);
});

it("names the failure of an ordered message as well", () => {
  const lane = { queue: "orders", key: new Uint8Array(1) };
  const delivery = {
    ...sent,
    position: null,
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
  expect(failureId(ordered, third)).toBe(failureId(sent, third));
});
