import { expect, it } from "vitest";
import { makeMessage } from "../../domain/message.ts";
import { newOutgoing, outgoingAgain } from "./outgoing.ts";

const message = makeMessage({ body: "x".repeat(100) });
const centuryMs = 100 * 365 * 86_400_000;

it("refuses what is new and too large, with the sizes", () => {
  expect(newOutgoing("orders", message, 0, 100).message.body).toHaveLength(100);
  expect(() => newOutgoing("orders", message, 0, 99)).toThrow(
    "The message has 100 bytes, and `maxMessageBytes` is 99.",
  );
});

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])(
  "refuses to send after %d ms",
  (delayMs) => {
    expect(() => newOutgoing("orders", message, delayMs, 100)).toThrow("`delayMs` must be a number, between 0 and");
  },
);

it.each([
  [-1, 0],
  [Number.NaN, 0],
  [Number.POSITIVE_INFINITY, centuryMs],
  [Number.MAX_SAFE_INTEGER, centuryMs],
])("takes a delay of %d ms for the nearest possible one where nobody could be told", (delayMs, nearestMs) => {
  expect(outgoingAgain("orders", message, delayMs).delayMs).toBe(nearestMs);
});
