import { describe, expect, it } from "vitest";
import { placeNamed } from "./queue.ts";
import { withMode } from "./queue-modes.ts";

const places = [
  { source: "eu", queue: "orders" },
  { source: "us", queue: "orders" },
  { source: "eu", queue: "mails/out" },
];

describe("a queue by its name", () => {
  it("is found with its source, or without where no other is called so", () => {
    expect(placeNamed("us/orders", places)).toEqual({ source: "us", queue: "orders" });
    expect(placeNamed("mails/out", places)).toEqual({ source: "eu", queue: "mails/out" });
    expect(placeNamed("eu/mails/out", places)).toEqual({ source: "eu", queue: "mails/out" });
  });

  it("is asked for again where several are called so, or none", () => {
    expect(() => placeNamed("orders", places)).toThrow("eu/orders, us/orders. Name one with its source.");
    expect(() => placeNamed("eu/order", places)).toThrow("No letter came from a queue `eu/order`.");
  });
});

describe("what is done with one queue of a source", () => {
  const sources = [
    {
      name: "eu",
      queues: [
        { match: "orders.dlq", mode: "observe" },
        { match: "*.dlq", mode: "drain" },
      ],
    },
  ];

  it("is said before what is said of many, and once", () => {
    expect(withMode(sources, { source: "eu", queue: "mails.dlq", mode: "observe" })).toEqual([
      { match: "mails.dlq", mode: "observe" },
      { match: "orders.dlq", mode: "observe" },
      { match: "*.dlq", mode: "drain" },
    ]);
    expect(withMode(sources, { source: "eu", queue: "orders.dlq", mode: "drain" })).toEqual([
      { match: "orders.dlq", mode: "drain" },
      { match: "*.dlq", mode: "drain" },
    ]);
  });

  it("is refused of a source that is not there", () => {
    expect(() => withMode(sources, { source: "us", queue: "a", mode: "drain" })).toThrow("There is no source `us`.");
  });
});
