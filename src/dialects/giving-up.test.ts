import { describe, expect, it } from "vitest";
import { everyDialect, type Fixture, foreignLetters } from "../../test/dialects/letters.ts";
import { classify } from "../triage/classify.ts";
import { failureEvidence } from "./failure-evidence.ts";
import { isList, isObject, type Json, jsonText, member, parseJsonOrThrow, textOf } from "./json.ts";
import { readNotation } from "./notation/read-notation.ts";
import { readDeadLetter } from "./read-dead-letter.ts";

/** What brokers, libraries and teams write when they have tried often enough. */
const texts = [
  "Offset delivery count exceeded the threshold.",
  "Offset rejected by client.",
  "Message could not be consumed after 10 delivery attempts.",
  "Charge has been attempted too many times.",
  "max 5 retries exceeded",
  "Delivery limit exceeded",
  "Maximum retries exceeded",
  "max receive count reached",
  "Retries exhausted: 5/5",
];

const letters = [...everyDialect(), ...foreignLetters().map(({ id, fixture }) => ({ id, fixture, facts: {} }))];

describe("a letter whose error says only that it was given up", () => {
  it.each(texts)("is no business rule in any dialect: %s", (text) => {
    const wrong = letters.flatMap(({ id, fixture, facts }) => {
      const { letter } = readNotation(withError({ id, fixture, facts }, text));
      const reading = readDeadLetter(letter);
      const alone = { errorClass: null, errorCode: null, httpStatus: null, stack: null, earlierErrors: [] };
      const told = { ...reading, ...alone, errorMessage: text };
      const { category, why } = classify(failureEvidence(letter, told));
      return category === "business_rule" ? [{ id, category, why }] : [];
    });
    expect(wrong).toEqual([]);
  });

  it("is found in the words of every dialect that has any, and leads to the earlier attempts", () => {
    const told = everyDialect().flatMap((one) => {
      const { letter } = readNotation(withError(one, "Delivery limit exceeded"));
      const reading = readDeadLetter(letter);
      if (reading.errorMessage !== "Delivery limit exceeded") return [];
      const { category, why } = classify(failureEvidence(letter, reading));
      expect({ id: one.id, category }).not.toMatchObject({ category: "business_rule" });
      if (reading.errorCode === null)
        expect({ id: one.id, why }).toMatchObject({ why: /"Delivery limit exceeded" only says/ });
      return [one.id];
    });
    expect(told.length).toBeGreaterThan(20);
  });

  it("is what another mark on the letter tells of its first failure", () => {
    const headers = [
      { k: "__dlq.errors.topic", utf8: "orders" },
      { k: "__dlq.errors.message", utf8: "Offset delivery count exceeded the threshold." },
      { k: "x-exception-class", utf8: "java.net.ConnectException" },
      { k: "x-exception-message", utf8: "Connection refused" },
    ];
    const { letter } = readNotation(parseJsonOrThrow(jsonText({ transport: "kafka", topic: "orders.dlq", headers })));
    const reading = readDeadLetter(letter);
    expect(reading.errorMessage).toBe("Offset delivery count exceeded the threshold.");
    expect(classify(failureEvidence(letter, reading)).category).toBe("transient");
  });

  it("is what the attempts before the last one were about", () => {
    const errors = ["charge order: connection refused", "retry limit reached"].map((error) => ({ error }));
    const row = { kind: "charge", queue: "orders", attempt: 2, errors };
    const { letter } = readNotation(parseJsonOrThrow(jsonText({ transport: "river", table: "river_job", row })));
    const { category, why } = classify(failureEvidence(letter, readDeadLetter(letter)));
    expect({ category, why }).toMatchObject({ category: "transient", why: /^An earlier error of this letter decides/ });
  });
});

/** The letter with another text in the place of its error's, and a class that says no more. */
function withError({ fixture, facts }: Fixture, text: string): Json {
  const message = textOf(member(facts, "errorMessage"));
  const name = textOf(member(facts, "errorClass"))?.split(/[.\\]/).at(-1);
  const swap = (value: string) => {
    const said = message === undefined ? value : value.replaceAll(message, text);
    return name === undefined ? said : said.replaceAll(name, "MaxAttemptsExceededError");
  };
  return mapTexts(fixture, swap);
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (isList(value)) return value.map((one) => mapTexts(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one ?? null, change)]));
}
