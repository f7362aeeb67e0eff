import { expect, it } from "vitest";
import { readRabbitmqOptions } from "./options.ts";

const url = "amqp://alice:s%20cret@localhost:5672/shop";

it("knows whom the broker knows us as", () => {
  expect(readRabbitmqOptions({ url }).user).toBe("alice");
  expect(readRabbitmqOptions({ url: "amqp://al%40ice:x@localhost" }).user).toBe("al@ice");
  expect(readRabbitmqOptions({ url: ["amqps://one", "amqps://two"] })).toMatchObject({
    user: "guest",
    urls: ["amqps://one", "amqps://two"],
  });
});

it.each([
  ["url", { url: "http://alice:secret@localhost" }],
  ["url", { url: "localhost" }],
  ["url", { url: [] }],
  ["topology", { url, topology: "made" as "make" }],
  ["acknowledge", { url, acknowledge: "all" as "each" }],
  ["answerWithinMs", { url, answerWithinMs: 0 }],
  ["blockedWithinMs", { url, blockedWithinMs: -1 }],
  ["heartbeatMs", { url, heartbeatMs: 10 }],
  ["name", { url, name: "" }],
  ["orderedQueues", { url, orderedQueues: "orders" as "all" }],
  ["delaysMs", { url, delaysMs: [] }],
  ["delaysMs", { url, delaysMs: [60_000, 10_000] }],
  ["delaysMs", { url, delaysMs: [10_000, 10_000] }],
  ["delaysMs", { url, delaysMs: [41 * 86_400_000] }],
])("refuses a wrong %s by its name", (name, options) => {
  expect(() => readRabbitmqOptions(options)).toThrow(`\`${name}\` must be`);
});

it("does not show a password when it refuses a URL", () => {
  expect(() => readRabbitmqOptions({ url: "http://alice:secret@localhost" })).toThrow(/^(?!.*secret)/s);
});

it("refuses options nobody knows", () => {
  expect(() => readRabbitmqOptions({ url, prefetch: 10 } as never)).toThrow("`prefetch` is not an option");
});
