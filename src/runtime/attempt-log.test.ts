import fc from "fast-check";
import { expect, it } from "vitest";
import { headerText, textHeader } from "../domain/message.ts";
import { wire, wireCaps } from "../domain/wire.ts";
import { emptyLog, readAttemptLog, unfinishedAttempt, utf8Length, withRecord, writeAttemptLog } from "./attempt-log.ts";

const failed = (n: number, message = "down") => ({ n, at: "2026-01-01T00:00:00.000Z", class: "Error", message });

it("reads back what it wrote, for the same queue", () => {
  const log = withRecord(withRecord(emptyLog, failed(1)), failed(2));
  const headers = writeAttemptLog([textHeader("x-mine", "1")], "orders", log);
  expect(readAttemptLog(headers, "orders")).toEqual(log);
  expect(readAttemptLog(headers, "invoices")).toEqual(emptyLog);
});

it("replaces an earlier log instead of adding to it, whatever queue it was of", () => {
  const first = writeAttemptLog([], "orders", withRecord(emptyLog, failed(1)));
  const second = writeAttemptLog(first, "invoices", withRecord(emptyLog, failed(1)));
  expect(second.map((header) => header.name).sort()).toEqual(first.map((header) => header.name).sort());
});

it("puts the result of an attempt in the place of its charge", () => {
  const charged = withRecord(emptyLog, { n: 1, at: "2026-01-01T00:00:00.000Z", started: true });
  expect(unfinishedAttempt(charged)?.n).toBe(1);
  expect(charged.firstFailedAt).toBeNull();
  const over = withRecord(charged, failed(1));
  expect(unfinishedAttempt(over)).toBeUndefined();
  expect(over.history).toHaveLength(1);
});

it("keeps the history under its cap by dropping the oldest, whatever the messages say", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 400 }), { maxLength: 60 }), (messages) => {
      const log = messages.reduce((past, message, index) => withRecord(past, failed(index + 1, message)), emptyLog);
      const text = headerText(writeAttemptLog([], "orders", log), wire.history) ?? "";
      expect(utf8Length(text)).toBeLessThanOrEqual(wireCaps.history);
      const kept = JSON.parse(text) as { n: number }[];
      expect(kept.map(({ n }) => n)).toEqual(log.history.slice(-kept.length || log.history.length).map(({ n }) => n));
      expect(readAttemptLog(writeAttemptLog([], "orders", log), "orders").attempt).toBe(messages.length);
    }),
  );
});

it("takes a damaged log for what can be read of it", () => {
  const damaged = (attempt: string, history: string) => [
    textHeader(wire.queue, "orders"),
    textHeader(wire.attempt, attempt),
    textHeader(wire.history, history),
  ];
  expect(readAttemptLog(damaged("-3", "[{"), "orders")).toMatchObject({ attempt: 0, history: [] });
  expect(readAttemptLog(damaged("1e400", '{"n":1}'), "orders")).toMatchObject({ attempt: 0, history: [] });
  expect(readAttemptLog(damaged("2", '[1,null,{"n":"x"},{"n":2,"at":"t"}]'), "orders").history).toHaveLength(1);
  expect(readAttemptLog(damaged("2", "[".repeat(100_000)), "orders").history).toEqual([]);
});
