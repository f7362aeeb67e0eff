import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BindingFacts, ExchangeFacts } from "./broker-facts.ts";
import { type Key, router } from "./routing.ts";

const exchange = (type: string, alternate: string | null = null): ExchangeFacts => ({ type, alternate });
const toQueue = (source: string, destination: string, key = ""): BindingFacts => ({
  source,
  destination,
  toQueue: true,
  key,
});
const toExchange = (source: string, destination: string, key = ""): BindingFacts => ({
  source,
  destination,
  toQueue: false,
  key,
});

const routes = router(
  new Map([
    ["", exchange("direct")],
    ["direct", exchange("direct", "spare")],
    ["spare", exchange("fanout")],
    ["fan", exchange("fanout")],
    ["topic", exchange("topic")],
    ["headers", exchange("headers")],
    ["ring", exchange("fanout", "ring")],
    ["hash", exchange("x-consistent-hash")],
  ]),
  [
    toQueue("direct", "a", "one"),
    toQueue("spare", "leftovers"),
    toExchange("fan", "direct"),
    toExchange("fan", "ring"),
    toQueue("fan", "b"),
    toQueue("topic", "c", "order.*.eu"),
    toQueue("topic", "d", "order.#"),
    toQueue("headers", "e"),
    toExchange("ring", "fan"),
  ],
  new Set(["a", "b", "c", "d", "e", "leftovers"]),
);

describe("routing", () => {
  it.each<[exchange: string, key: Key, queues: readonly string[], isUnsure: boolean]>([
    ["", "a", ["a"], false],
    ["", "nobody", [], false],
    ["", null, [], true],
    ["direct", "one", ["a"], false],
    ["direct", "two", ["leftovers"], false],
    ["fan", "one", ["a", "b"], false],
    ["ring", "one", ["a", "b"], false],
    ["topic", "order.paid.eu", ["c", "d"], false],
    ["topic", "order", ["d"], false],
    ["topic", "mail", [], false],
    ["topic", null, ["c", "d"], true],
    ["headers", "x", ["e"], true],
    ["hash", "x", [], true],
    ["missing", "x", [], false],
  ])("by the exchange %j with the key %j gets to %j", (name, key, queues, isUnsure) => {
    const routed = routes.route(name, key);
    expect({ queues: [...routed.queues].sort(), isUnsure: routed.isUnsure }).toEqual({ queues, isUnsure });
  });

  it("takes topics as RabbitMQ does, however many signs are in them", () => {
    const word = fc.constantFrom("a", "b", "");
    const part = fc.constantFrom("a", "b", "*", "#", "");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.array(word, { maxLength: 6 }), (pattern, words) => {
        const bound = toQueue("t", "q", pattern.join("."));
        const { queues } = router(new Map([["t", exchange("topic")]]), [bound], new Set(["q"])).route(
          "t",
          words.join("."),
        );
        expect(queues.has("q")).toBe(matches(pattern.join(".").split("."), words.join(".").split(".")));
      }),
    );
  });

  it("takes no long time over a pattern of many signs", () => {
    const bound = toQueue("t", "q", Array(60).fill("#").join("."));
    const { queues } = router(new Map([["t", exchange("topic")]]), [bound], new Set(["q"])).route(
      "t",
      Array(60).fill("a").join("."),
    );
    expect([...queues]).toEqual(["q"]);
  });
});

/** As the specification says it, whatever that costs. */
function matches(pattern: readonly string[], words: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return words.length === 0;
  if (first === "#") return matches(rest, words) || (words.length > 0 && matches(pattern, words.slice(1)));
  return words.length > 0 && (first === "*" || first === words[0]) && matches(rest, words.slice(1));
}
