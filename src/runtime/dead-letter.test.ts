import fc from "fast-check";
import { expect, it } from "vitest";
import { headerText, makeMessage, textHeader } from "../domain/message.ts";
import { wire, wireCaps } from "../domain/wire.ts";
import { readFailure } from "../policies/failure.ts";
import { cut, emptyLog, utf8Length } from "./attempt-log.ts";
import { deadLetter, errorText } from "./dead-letter.ts";

const at = "2026-01-01T00:00:00.000Z";
const coroner = { queue: "orders", consumer: "{}", idempotencyKey: undefined, schema: null, failureId: null };
const facts = (message: string, stack = "") => readFailure(Object.assign(new Error(message), { stack }), { now: 0 });

it("keeps the body, the key and the sender's headers as they are", () => {
  const message = makeMessage({ body: Uint8Array.of(0, 255), key: "k", headers: { a: "1" } });
  const death = { reason: "unprocessable", category: "business_rule", past: emptyLog, at, facts: facts("no") } as const;
  const letter = deadLetter(message, death, coroner);
  expect(letter.body).toBe(message.body);
  expect(letter.key).toBe(message.key);
  expect(headerText(letter.headers, "a")).toBe("1");
  expect(headerText(letter.headers, wire.failedAt)).toBe(at);
});

it("never makes an error header longer than its cap, and it stays JSON", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 9_000 }),
      fc.integer({ min: 2, max: 12_288 }),
      (text, maxBytes) => {
        const json = errorText(facts(text, text), maxBytes);
        expect(utf8Length(json)).toBeLessThanOrEqual(maxBytes);
        expect(JSON.parse(json)).toBeTypeOf("object");
      },
    ),
  );
});

it("lets its own headers shrink before the message's are too large together", () => {
  const foreign = [textHeader("x-large", "x".repeat(55_000))];
  const message = makeMessage({ headers: foreign });
  const death = {
    reason: "unprocessable",
    category: "unknown",
    past: emptyLog,
    at,
    facts: facts("m".repeat(3_000), "s".repeat(9_000)),
  } as const;
  const { headers } = deadLetter(message, death, coroner);
  const total = headers.reduce((sum, { name, value }) => sum + name.length + JSON.stringify(value.value).length, 0);
  expect(total).toBeLessThan(61_000);
  expect(headerText(headers, "x-large")).toHaveLength(55_000);
  expect(JSON.parse(headerText(headers, wire.error) ?? "")).toMatchObject({ class: "Error" });
});

it("cuts text at a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 600 }), fc.integer({ min: 0, max: 600 }), (text, maxBytes) => {
      const short = cut(text, maxBytes);
      expect(utf8Length(short)).toBeLessThanOrEqual(maxBytes);
      expect(short).not.toContain("�");
      expect(text.startsWith(short)).toBe(true);
    }),
  );
  expect(wireCaps.stack).toBeLessThan(wireCaps.error);
});
