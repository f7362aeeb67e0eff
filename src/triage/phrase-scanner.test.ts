import fc from "fast-check";
import { expect, it } from "vitest";
import { phraseScanner } from "./phrase-scanner.ts";

const found = (phrases: readonly string[], text: string) =>
  phraseScanner(phrases)
    .scan(text, 1_000)
    .map(({ phrase }) => phrases[phrase]);

it.each([
  ["any case and punctuation", "Deadlock-detected!", ["deadlock detected"]],
  ["words that programmers join", "TooManyRequestsException", ["too many requests"]],
  ["capitals before a word", "JSONDecodeError", ["json decode"]],
  ["accents", "déjà payé", ["deja paye"]],
  ["the beginning of a word, if asked to", "deserialization", ["deserializ*"]],
  ["phrases inside each other", "connection timed out", ["connection timed out", "timed out"]],
])("finds %s", (_what, text, phrases) => {
  expect(new Set(found(phrases, text))).toEqual(new Set(phrases));
});

it.each([
  ["part of a word", "unavailability", "unavail"],
  ["a word that goes on", "timeouts", "timeout"],
  ["words in another order", "detected deadlock", "deadlock detected"],
])("does not find %s", (_what, text, phrase) => {
  expect(found([phrase], text)).toEqual([]);
});

it("stops where it is told to", () => {
  expect(phraseScanner(["end"]).scan("a b c end", 5)).toEqual([]);
});

it("finds exactly what looking for each phrase by itself would find", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 });
  const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.uniqueArray(phrase, { minLength: 1, maxLength: 12 }), fc.array(word), (phrases, words) => {
      const text = ` ${words.join(" ")} `;
      const expected = phrases.filter((one) => text.includes(` ${one} `));
      expect(new Set(found(phrases, text))).toEqual(new Set(expected));
    }),
  );
});
