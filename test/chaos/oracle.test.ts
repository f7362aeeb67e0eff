import { expect, it } from "vitest";
import { type Message, textHeader } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";
import type { Payment } from "./books.ts";
import { type Evidence, isSound, judge } from "./oracle.ts";
import { type Order, plainOrder, toMessage } from "./order.ts";
import { digestOf } from "./order-handler.ts";

const paid = plainOrder("paid");
const twin = plainOrder("twin", { key: paid.key });
const refused = plainOrder("refused", { conduct: "refuse" });

function paymentOf(order: Order): Payment {
  return { id: order.id, key: order.key, digest: digestOf(toMessage(order).body) };
}

function letterOf(order: Order, reason: string, queue = "orders.dlq"): { queue: string; message: Message } {
  const message = toMessage(order);
  return { queue, message: { ...message, headers: [...message.headers, textHeader(wire.reason, reason)] } };
}

/** Three orders, each at an end it may come to. */
function evidence(changes: Partial<Evidence> = {}): Evidence {
  const sent = new Map([paid, twin, refused].map((order) => [order.id, order]));
  return {
    ...{ queue: "orders", inbox: true, sent, accepted: new Set(sent.keys()) },
    payments: [paymentOf(paid)],
    resting: [letterOf(refused, "unprocessable")],
    ...changes,
  };
}

it("has nothing to say when each order is paid under its key or dead for its reason", () => {
  const findings = judge(evidence());
  expect(isSound(findings)).toBe(true);
  expect(findings).toMatchObject({ accepted: 3, processed: 2, dead: { unprocessable: 1 }, rawDuplicates: 0 });
});

it("misses what was accepted and is nowhere", () => {
  const findings = judge(evidence({ resting: [] }));
  expect(findings.lost).toEqual(["refused"]);
  expect(isSound(findings)).toBe(false);
});

it("does not take one payment for two orders of a key where there is no inbox", () => {
  expect(judge(evidence({ inbox: false })).lost).toEqual(["twin"]);
});

it("finds a key paid twice", () => {
  const payments = [paymentOf(paid), paymentOf(twin)];
  expect(judge(evidence({ payments })).effectiveDuplicates).toEqual(["key-paid: 2 payments"]);
  expect(judge(evidence({ payments, inbox: false })).effectiveDuplicates).toEqual([]);
});

it("counts an order that came to two ends as a raw duplicate", () => {
  const payments = [paymentOf(paid), paymentOf(paid)];
  expect(judge(evidence({ payments, inbox: false })).rawDuplicates).toBe(1);
});

const strange: readonly [string, Partial<Evidence>][] = [
  ["a payment for what nobody sent", { payments: [paymentOf(paid), paymentOf(plainOrder("stranger"))] }],
  ["a payment for another body", { payments: [{ ...paymentOf(paid), digest: digestOf(Buffer.of(1)) }] }],
  ["a payment for what should be dead", { payments: [paymentOf(paid), paymentOf(refused)] }],
  ["a letter whose body is another", { resting: [changed(letterOf(refused, "unprocessable"))] }],
  ["a letter in the wrong queue", { resting: [letterOf(refused, "unprocessable", "orders.dlq.quarantine.poison")] }],
  ["a letter for a reason it never gave", { resting: [letterOf(refused, "schema_mismatch")] }],
];

it.each(strange)("is surprised by %s", (_what, changes) => {
  const findings = judge(evidence(changes));
  expect(findings.unexpected).toHaveLength(1);
  expect(isSound(findings)).toBe(false);
});

it("finds what is still in the work queue", () => {
  const findings = judge(evidence({ resting: [{ queue: "orders", message: toMessage(refused) }] }));
  expect(findings.unsettled).toEqual(["refused"]);
  expect(isSound(findings)).toBe(false);
});

it("tells of dead letters that nothing was wrong with, and does not call them a failure", () => {
  const resting = [letterOf(refused, "unprocessable"), letterOf(twin, "crash_poison", "orders.dlq.quarantine.poison")];
  const findings = judge(evidence({ resting }));
  expect(findings.innocents).toEqual([{ id: "twin", reason: "crash_poison", workMs: 0, isPaid: true }]);
  expect(isSound(findings)).toBe(true);
});

function changed({ queue, message }: { queue: string; message: Message }): { queue: string; message: Message } {
  const body = Buffer.from(message.body);
  body[body.length - 2] = 33;
  return { queue, message: { ...message, body } };
}
