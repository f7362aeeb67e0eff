import { expect, it } from "vitest";
import { queueRule } from "./queue-rule.ts";

const said = { mode: "drain", critical: false } as const;

it("says of a dead-letter queue what the first match says", () => {
  const queues = [
    { ...said, match: "orders.dlq", replayTo: "orders-v2" },
    { ...said, match: "orders*.dlq", replayTo: null },
  ];
  expect(queueRule({ queues }, "orders.dlq")?.replayTo).toBe("orders-v2");
  expect(queueRule({ queues }, "orders-eu.dlq")?.replayTo).toBeNull();
  expect(queueRule({ queues }, "ordersXdlq")).toBeNull();
});
