import { describe, expect, it } from "vitest";
import { kafkaWiring } from "./kafka-wiring.ts";
import type { TopicFacts } from "./topic-facts.ts";

const topic = (name: string, differently: Partial<TopicFacts> = {}): TopicFacts => ({
  name,
  settings: new Map(),
  records: null,
  firstAt: null,
  ...differently,
});

describe("the wiring of Kafka", () => {
  it("finds whose a dead-letter topic is by its name, whether a group is in it or not", () => {
    const names = ["orders", "orders.eu", "orders.eu.billing.dlq", "orders-dlt", "mail.dlq", "alone"];
    const { queues } = kafkaWiring(
      names.map((name) => topic(name)),
      0,
    );
    const found = queues.map(({ deadLettering }) =>
      typeof deadLettering === "object" ? (deadLettering?.targets ?? null) : deadLettering,
    );
    expect(found).toEqual([["orders-dlt"], ["orders.eu.billing.dlq"], null, null, null, "unseen"]);
  });

  it.each([
    [
      { "cleanup.policy": "delete", "retention.ms": "-1" },
      { retentionMs: null, isCompacted: false },
    ],
    [
      { "cleanup.policy": "delete", "retention.ms": "5", "retention.bytes": "7" },
      { retentionMs: 5, dropsBeyond: "7 bytes in a partition" },
    ],
    [
      { "cleanup.policy": "compact", "retention.ms": "5" },
      { retentionMs: null, isCompacted: true },
    ],
    [
      { "cleanup.policy": "compact,delete", "retention.ms": "5" },
      { retentionMs: 5, isCompacted: true },
    ],
  ])("takes %j for what it deletes", (settings, keeping) => {
    const { queues } = kafkaWiring([topic("a.dlq", { settings: new Map(Object.entries(settings)) })], 0);
    expect(queues).toMatchObject([{ keeping }]);
  });

  it("says that settings could not be seen, and takes a clock that is ahead for none", () => {
    const { queues, gaps } = kafkaWiring([topic("a.dlq", { settings: null, firstAt: 10, records: 1 })], 5);
    expect(queues).toMatchObject([{ oldestAgeMs: 0, depth: 1 }]);
    expect(gaps).toMatchObject([{ kind: "missing" }]);
  });
});
