import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everyDialect } from "../../test/dialects/letters.ts";
import { isList, isObject, type Json, jsonText, parseJsonOrThrow } from "./json.ts";
import { NotationProblem } from "./notation/notation-problem.ts";
import { readNotation } from "./notation/read-notation.ts";
import { readDeadLetter } from "./read-dead-letter.ts";

const fixtures = everyDialect();

describe("letters that somebody made to break the reader", () => {
  it("are read or refused by name, whatever is in the place of whatever", () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
      fc.constantFrom<Json>(-1, 2n ** 70n, "", "\0", "9".repeat(40), { t: "A", v: {} }, { hex: "0" }, { hex: "ff" }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), fc.nat(), anything, ({ fixture }, place, value) => {
        outcomeOf(replaced(fixture, place, value));
      }),
      { numRuns: 3_000 },
    );
  });

  it("are read or refused when their text is any text", () => {
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), fc.string({ unit: "binary", maxLength: 300 }), ({ fixture }, text) => {
        outcomeOf(withTexts(fixture, text));
      }),
      { numRuns: 400 },
    );
  });

  it("take nothing from the chain of prototypes, and leave nothing there", () => {
    const body = '{"__proto__":{"dlq_metadata":{}},"constructor":1,"toString":{"headers":{"task":"x"}}}';
    const headers = ["__proto__", "constructor", "toString", "hasOwnProperty"].map((k) => ({ k, utf8: body }));
    const { letter } = readNotation(parseJsonOrThrow(jsonText({ transport: "kafka", headers, value: { utf8: body } })));
    expect(readDeadLetter(letter)).toMatchObject({ dialects: [], source: null, errorMessage: null, attempts: null });
    expect(({} as Record<string, unknown>).dlq_metadata).toBeUndefined();
  });

  it("are not followed to any depth", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const nested = `${`{"t":"A","v":[`.repeat(5_000)}{"t":"S","v":"x"}${"]}".repeat(5_000)}`;
    expect(() => outcomeOf({ transport: "kafka", value: { utf8: deep } })).not.toThrow();
    expect(() => readNotation(parseJsonOrThrow(`{"transport":"amqp-0-9-1","headers":{"x-death":${nested}}}`))).toThrow(
      NotationProblem,
    );
  });

  it("are read in a time that grows with the number of their headers", () => {
    const names = ["kafka_dlt-original-", "__connect.errors.", "x-exception-", "MT-Fault-", "X-Message-Stamp-"];
    const headers = names.flatMap((name) => Array.from({ length: 20_000 }, (_, n) => ({ k: name + n, utf8: "1" })));
    const from = performance.now();
    outcomeOf({ transport: "kafka", headers });
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  /** Each is what some pattern of ours begins with, so that one that looks too far ahead does so very often. */
  it.each([
    " in ",
    "Caused by: ",
    "Caused by: a.B: ",
    "failedMessage=GenericMessage [",
    "\n    at ",
    '\n  File "',
    "\nTraceback (most recent call last):",
    "a.",
    "Aa",
    ": ",
    ", stacktrace: ",
    'panic occurred: "\\',
    's:9:"',
    "\n\nNext ",
    "1:1:in ",
    "\nx:1",
    " ",
    "\n",
    "eyJ",
    "{[",
  ])("are read in a time that grows with their length: %j", (piece) => {
    const long = piece.repeat(Math.ceil(200_000 / piece.length));
    const letters = fixtures.map(({ fixture }) => withTexts(fixture, long));
    const from = performance.now();
    for (const letter of letters) outcomeOf(letter);
    // Linear, it takes milliseconds a letter; a pattern that tries every pair of places takes minutes.
    expect(performance.now() - from).toBeLessThan(20_000);
  });
});

/** Nothing but a refusal of ours may be thrown. */
function outcomeOf(fixture: Json): void {
  let letter: ReturnType<typeof readNotation>["letter"];
  try {
    ({ letter } = readNotation(fixture));
  } catch (error) {
    if (error instanceof NotationProblem) return;
    throw error;
  }
  const { attempts, firstFailedAt, lastFailedAt, dialects, replay } = readDeadLetter(letter);
  for (const number of [attempts, firstFailedAt, lastFailedAt])
    expect(number === null || Number.isSafeInteger(number)).toBe(true);
  expect([dialects, replay.strip].every((list) => list.every((name) => typeof name === "string"))).toBe(true);
}

/** The letter with another value at one place of all its places. */
function replaced(json: Json, place: number, value: Json): Json {
  const places = count(json);
  let at = place % places;
  const walk = (inner: Json): Json => {
    if (at-- === 0) return value;
    if (isList(inner)) return inner.map(walk);
    return isObject(inner) ? mapMembers(inner, (_name, member) => walk(member)) : inner;
  };
  return walk(json);
}

function count(json: Json): number {
  if (isList(json)) return json.reduce<number>((sum, inner) => sum + count(inner), 1);
  return isObject(json) ? Object.values(json).reduce<number>((sum, inner) => sum + count(inner ?? null), 1) : 1;
}

/** The letter with this text in place of every text but those that say what it is. */
function withTexts(json: Json, text: string): Json {
  if (typeof json === "string") return text;
  if (isList(json)) return json.map((inner) => withTexts(inner, text));
  const keeps = /^(transport|k|t|hex|DataType|table)$/;
  return isObject(json) ? mapMembers(json, (name, inner) => (keeps.test(name) ? inner : withTexts(inner, text))) : json;
}

function mapMembers(
  object: Readonly<Record<string, Json | undefined>>,
  change: (name: string, value: Json) => Json,
): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(name, value ?? null)]));
}
