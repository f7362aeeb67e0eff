import fc from "fast-check";
import { expect, it } from "vitest";
import { ownStack, sharedStack } from "./stack-text.ts";

const frames = "\n    at charge (/app/pay.js:7:15)";

it("makes one stack of those that differ in the message alone", () => {
  const messages = ["order 17 timed out", "order 9001 timed out"];
  const shared = messages.map((message) => sharedStack(`TimeoutError: ${message}${frames}`, message));
  expect(shared[0]).toBe(shared[1]);
});

it("gives each letter its own stack back, whatever is in it", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "$&", "\n", "\u241a", "\u0000") });
  fc.assert(
    fc.property(text, text, fc.option(text), (before, after, message) => {
      const stack = `${before}${message ?? ""}${after}`;
      expect(ownStack(sharedStack(stack, message), message)).toBe(stack);
    }),
  );
});

it("is not misled by the character it uses itself", () => {
  expect(ownStack(sharedStack("a\u001ab", "message"), "message")).toBe("a\u241ab");
});
