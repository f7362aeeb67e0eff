import { describe, expect, it } from "vitest";
import { sourceAndQueue } from "./drain.ts";

describe("a source and its queue", () => {
  it("are told apart at the first slash: names of queues have more", () => {
    expect(sourceAndQueue("rabbit-eu/orders/eu.dlq")).toEqual({ source: "rabbit-eu", queue: "orders/eu.dlq" });
  });

  it.each([
    ["rabbit-eu", "rabbit-eu"],
    ["rabbit-eu/", "rabbit-eu"],
    ["/orders.dlq", "SOURCE"],
  ])("say how to find the queues where one is missing: %s", (operand, source) => {
    expect(() => sourceAndQueue(operand)).toThrow(`\`dlo sources discover ${source}\` lists`);
  });
});
