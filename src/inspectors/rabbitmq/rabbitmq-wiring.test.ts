import { describe, expect, it } from "vitest";
import { matching } from "../../../test/matching.ts";
import type { BrokerFacts, QueueFacts, Settings } from "./broker-facts.ts";
import { settingsOf } from "./queue-settings.ts";
import { rabbitmqWiring } from "./rabbitmq-wiring.ts";

describe("settings of a queue", () => {
  it.each<[about: string, argument: Settings, policy: Settings, wanted: object]>([
    [
      "the lower of two limits",
      { "x-message-ttl": 5, "x-max-length": 9 },
      { "message-ttl": 7, "max-length": 3 },
      { ttlMs: 5, maxLength: 3 },
    ],
    [
      "the argument's exchange",
      { "x-dead-letter-exchange": "a" },
      { "dead-letter-exchange": "b" },
      { deadLetterExchange: "a" },
    ],
    [
      "the policy's strategy",
      { "x-dead-letter-strategy": "at-most-once" },
      { "dead-letter-strategy": "at-least-once" },
      { strategy: "at-least-once" },
    ],
    ["a limit rather than none", { "x-delivery-limit": -1 }, { "delivery-limit": 5 }, { deliveryLimit: 5 }],
    ["the policy alone", {}, { expires: 9, overflow: "reject-publish" }, { expiresMs: 9, overflow: "reject-publish" }],
  ])("are %s", (_about, argument, policy, wanted) => {
    const queue = queueOf({ arguments: argument, policy: "p" });
    const policies = new Map([["p", { definition: policy, priority: 0 }]]);
    expect(settingsOf(queue, { policies })).toMatchObject(wanted);
  });

  it("are known to be incomplete where the policy may not be seen", () => {
    expect(settingsOf(queueOf({ policy: "p" }), { policies: null }).isPartly).toBe(true);
    expect(settingsOf(queueOf({}), { policies: null }).isPartly).toBe(false);
    expect(settingsOf(queueOf({ policy: "p", effective: { expires: 1 } }), { policies: null })).toMatchObject({
      isPartly: false,
      expiresMs: 1,
    });
  });
});

describe("wiring", () => {
  it.each<[version: string, type: string, limit: number | undefined, wanted: object | null]>([
    ["3.13.7", "quorum", undefined, null],
    ["3.13.7", "quorum", 3, { deliveries: 4, isDefault: false }],
    ["3.13.7", "quorum", -1, { deliveries: 1, isDefault: false }],
    ["4.0.1", "quorum", undefined, { deliveries: 21, isDefault: true }],
    ["4.1.0", "quorum", -1, null],
    ["4.1.0", "classic", undefined, null],
  ])("in RabbitMQ %s has for a %s queue with the limit %s: %j", (version, type, limit, wanted) => {
    const queue = queueOf({ type, arguments: limit === undefined ? {} : { "x-delivery-limit": limit } });
    expect(rabbitmqWiring(factsOf({ version, queues: [queue] })).queues).toMatchObject([{ deliveryLimit: wanted }]);
  });

  it("does not claim that there is no dead-lettering where a policy may not be seen", () => {
    const wiring = rabbitmqWiring(
      factsOf({ policies: null, queues: [queueOf({ policy: "p" }), queueOf({ type: "stream" })] }),
    );
    expect(wiring.queues).toMatchObject([{ deadLettering: "unseen" }, { deadLettering: "unseen" }]);
    expect(wiring.gaps).toMatchObject([{ kind: "missing", remedy: matching(/policymaker/) }]);
  });

  it("takes a queue that dead-letters to itself for what it is", () => {
    const queue = queueOf({ arguments: { "x-dead-letter-exchange": "" } });
    expect(rabbitmqWiring(factsOf({ queues: [queue] })).queues).toMatchObject([
      { deadLettering: { targets: ["q"], leaks: [] } },
    ]);
  });

  it("names few of many keys that lead nowhere", () => {
    const queue = queueOf({ arguments: { "x-dead-letter-exchange": "dlx" } });
    const bindings = ["a", "b", "c", "d", "e"].map((key) => ({ source: "in", destination: "q", toQueue: true, key }));
    const exchanges = new Map(["in", "dlx"].map((name) => [name, { type: "direct", alternate: null }]));
    expect(rabbitmqWiring(factsOf({ queues: [queue], bindings, exchanges })).queues).toMatchObject([
      { deadLettering: { leaks: ["no queue is bound there for the keys `a`, `b`, `c` and 2 more"] } },
    ]);
  });
});

function queueOf(differently: Partial<QueueFacts>): QueueFacts {
  return {
    name: "q",
    type: "classic",
    isTemporary: false,
    messages: 0,
    arguments: {},
    policy: null,
    effective: null,
    ...differently,
  };
}

function factsOf(differently: Partial<BrokerFacts>): BrokerFacts {
  return {
    version: "3.10.8",
    vhost: "/",
    tags: ["management"],
    user: "dlo",
    queues: [],
    exchanges: new Map([["", { type: "direct", alternate: null }]]),
    bindings: [],
    policies: new Map(),
    ...differently,
  };
}
