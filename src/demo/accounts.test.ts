import { expect, it } from "vitest";
import { replaceHeaders, textHeader } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import { takeAccounts } from "./accounts.ts";
import { orderMessage } from "./order.ts";

/** Accounts of `sent` messages, `dead` of them dead-lettered, the rest charged as often as `charges` says. */
function accountsOf(
  sent: readonly (readonly [id: string, order: number])[],
  charges: Record<number, number>,
  dead = "",
) {
  const broker = memoryBroker();
  for (const [id, order] of sent.filter(([id]) => id === dead)) {
    const message = orderMessage(order, {}, id);
    const headers = replaceHeaders(message.headers, [textHeader(wire.reason, "schema_mismatch")]);
    broker.send({ name: "orders.dlq" }, { ...message, headers });
  }
  return takeAccounts({
    broker,
    queue: "orders",
    sent: sent.map(([id, order]) => ({ id, order })),
    charges: new Map(Object.entries(charges).map(([order, times]) => [Number(order), times])),
  });
}

it("finds what is charged, dead-lettered or a duplicate", () => {
  const sent = [
    ["a", 1],
    ["b", 1],
    ["c", 2],
  ] as const;
  expect(accountsOf(sent, { 1: 1 }, "c")).toEqual({
    sent: 3,
    orders: 2,
    charged: 1,
    chargedTwice: 0,
    duplicates: 1,
    deadLettered: { schema_mismatch: 1 },
    quarantined: {},
    queued: 0,
    lost: 0,
  });
});

it("calls lost what was neither charged nor is in any queue", () => {
  expect(
    accountsOf(
      [
        ["a", 1],
        ["b", 2],
      ],
      { 1: 1 },
    ).lost,
  ).toBe(1);
});

it("notices an order that was charged twice", () => {
  expect(
    accountsOf(
      [
        ["a", 1],
        ["b", 1],
      ],
      { 1: 2 },
    ).chargedTwice,
  ).toBe(1);
});
