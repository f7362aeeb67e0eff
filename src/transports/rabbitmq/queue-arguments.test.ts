import { expect, it } from "vitest";
import { bucketArguments, isLastQueue, lastQueueArguments, workQueueArguments } from "./queue-arguments.ts";
import { serverRules } from "./server-version.ts";

const old = serverRules({ version: "3.10.8" });
const recent = serverRules({ version: "4.1.0" });

const handsOver = {
  "x-queue-type": "quorum",
  "x-dead-letter-exchange": "",
  "x-dead-letter-strategy": "at-least-once",
  "x-overflow": "reject-publish",
};

it("gives a queue to work on a dead-letter queue, and no delivery limit", () => {
  const wired = { ...handsOver, "x-dead-letter-routing-key": "orders.dlq" };
  expect(workQueueArguments("orders", old, false)).toEqual(wired);
  expect(workQueueArguments("orders", recent, false)).toEqual({ ...wired, "x-delivery-limit": -1 });
  expect(workQueueArguments("orders", old, true)).toEqual({ ...wired, "x-single-active-consumer": true });
});

it("keeps a queue of dead letters from giving them up", () => {
  expect(lastQueueArguments(old)).toEqual({ "x-queue-type": "quorum" });
  expect(lastQueueArguments(recent)).toEqual({ "x-queue-type": "quorum", "x-delivery-limit": -1 });
});

it("lets a delay queue outlive the messages in it, or stay", () => {
  const bucket = { name: "orders.retry.10s.1", queue: "orders", delayMs: 10_000, idleMs: 86_400_000 };
  const waits = { ...handsOver, "x-dead-letter-routing-key": "orders", "x-message-ttl": 10_000 };
  expect(bucketArguments(bucket)).toEqual({ ...waits, "x-expires": 86_410_000 });
  expect(bucketArguments({ ...bucket, idleMs: null })).toEqual(waits);
});

it.each([
  ["orders", false],
  ["orders.retry.10s", false],
  ["dlq", false],
  ["orders.dlq", true],
  ["orders.dlq.quarantine.schema", true],
  ["orders.parked", true],
  ["dlo.reports", true],
])("knows whether messages stay in %s for good", (name, stay) => {
  expect(isLastQueue(name)).toBe(stay);
});
