import { describe, expect, it } from "vitest";
import type { BindingFacts, BrokerFacts } from "../inspectors/rabbitmq/broker-facts.ts";
import { rabbitmqRoutes, rabbitmqWiring } from "../inspectors/rabbitmq/rabbitmq-wiring.ts";
import { conditionOf, depthBeside } from "./rabbitmq-source.ts";

type Binding = readonly [exchange: string, queue: string, key: string];

const created = { exchange: "shop", routingKey: "order.created" };
const toOrders: Binding = ["shop", "orders", "order.created"];

/** `orders`, whose dead letters go to `dlx` with the key they came with, and others beside it. */
function seen(
  bindings: readonly Binding[],
  settings: Readonly<Record<string, unknown>> = {},
  beside: readonly string[] = [],
) {
  const queueOf = (name: string, args: Readonly<Record<string, unknown>>) => ({
    ...{ name, type: "quorum", isTemporary: false, messages: 3, arguments: args, policy: null, effective: null },
  });
  const facts: BrokerFacts = {
    ...{ version: "4.1.0", vhost: "/", tags: ["management"], user: "dlo", policies: new Map() },
    queues: [
      queueOf("orders", { "x-dead-letter-exchange": "dlx", ...settings }),
      ...["billing", "orders.dead", ...beside].map((name) => queueOf(name, {})),
    ],
    exchanges: new Map([
      ["shop", { type: "topic", alternate: null }],
      ["dlx", { type: "direct", alternate: null }],
      ["odd", { type: "headers", alternate: null }],
    ]),
    bindings: bindings.map(([source, destination, key]): BindingFacts => ({ source, destination, key, toQueue: true })),
  };
  return { wiring: rabbitmqWiring(facts), routes: rabbitmqRoutes(facts) };
}

describe("how a letter goes back to a queue of RabbitMQ", () => {
  it("is the way it came, where that leads there alone: so its next death is kept as its first was", () => {
    const wired = seen([toOrders, ["dlx", "orders.dead", "order.created"]]);
    expect(conditionOf("orders", created, wired)).toMatchObject({ via: created, keepsNextDeath: true, lag: 3 });
    expect(conditionOf("orders", null, wired)).toMatchObject({ via: null, keepsNextDeath: false });
  });

  it("is straight to the queue where others are bound as well, who would get it a second time", () => {
    const wired = seen([toOrders, ["shop", "billing", "order.#"], ["dlx", "orders.dead", "order.created"]]);
    expect(conditionOf("orders", created, wired)).toMatchObject({ via: null, keepsNextDeath: false });
    const kept = seen([toOrders, ["shop", "billing", "#"], ["dlx", "orders.dead", "orders"]]);
    expect(conditionOf("orders", created, kept)).toMatchObject({ via: null, keepsNextDeath: true });
  });

  it("is straight to the queue where only its name leads a dead letter on", () => {
    const wired = seen([toOrders, ["dlx", "orders.dead", "orders"]]);
    expect(conditionOf("orders", created, wired)).toMatchObject({ via: null, keepsNextDeath: true });
  });

  it.each([
    ["by the default exchange", { exchange: "", routingKey: "orders" }],
    ["by headers, which nobody can follow", { exchange: "odd", routingKey: "" }],
    ["by an exchange that is gone", { exchange: "gone", routingKey: "order.created" }],
    ["by a key that leads elsewhere", { exchange: "shop", routingKey: "refund.created" }],
  ])("is straight to the queue of a letter that came %s", (_about, via) => {
    const wired = seen([toOrders, ["shop", "billing", "refund.*"], ["odd", "orders", ""]]);
    expect(conditionOf("orders", via, wired).via).toBeNull();
  });

  it("is straight to the queue where nobody may look, and nothing is said of its next death", () => {
    expect(conditionOf("orders", created, null)).toMatchObject({
      ...{ isUnseen: true, via: null, keepsNextDeath: null, keepsOrder: null },
    });
    expect(conditionOf("gone", created, seen([toOrders]))).toMatchObject({ address: null, via: null });
  });

  it("keeps an order only where one consumer at a time gets messages", () => {
    expect(conditionOf("orders", null, seen([])).keepsOrder).toBe("never");
    const alone = seen([], { "x-single-active-consumer": true });
    expect(conditionOf("orders", null, alone).keepsOrder).toBe("always");
  });
});

it("counts what consumers parked or put to wait beside a queue, and nothing else", () => {
  const countIn = (...beside: readonly string[]) => depthBeside("orders", seen([], {}, beside).wiring);
  expect([countIn(), countIn("orders.dlq", "orders.parked.old", "billing.parked")]).toEqual([0, 0]);
  expect(countIn("orders.parked", "orders.retry.5s")).toBe(6);
  expect(depthBeside("orders", undefined)).toBeNull();
});
