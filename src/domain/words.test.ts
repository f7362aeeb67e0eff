import fc from "fast-check";
import { expect, it } from "vitest";
import { placesOf, wordsOf } from "./words.ts";

it.each([
  ["TimeoutError: POST payments-api /charge timed out", "timeout error post payments api charge timed out"],
  ["read ECONNRESET", "read econnreset"],
  ["HTTPError 503 from XMLHttpRequest2Client", "http error 503 from xml http request2 client"],
  ["com.shop.CreditLimitExceeded", "com shop credit limit exceeded"],
  ["Überweisung ÄÖ straße", "überweisung äö straße"],
  ["\0\ud800 (a)", "a"],
  ["", ""],
])("takes %j apart", (text, words) => {
  expect(wordsOf(text).join(" ")).toBe(words);
});

it("looks at no more than a hundred words, of no more than 64 characters", () => {
  const words = wordsOf("x".repeat(1_000) + " y".repeat(1_000));
  expect(words).toHaveLength(100);
  expect(words[0]).toHaveLength(64);
});

it("takes plain text apart as it takes any other", () => {
  const plain = fc.string({ unit: fc.constantFrom(..."aZbYcX09 .-_/:("), maxLength: 60 });
  fc.assert(
    fc.property(plain, (text) => {
      expect(wordsOf(`${text} é`)).toEqual([...wordsOf(text), "é"]);
    }),
  );
});

it("knows where each word stands", () => {
  expect([...placesOf(["a", "b", "a"])]).toEqual([
    ["a", [1, 3]],
    ["b", [2]],
  ]);
});
