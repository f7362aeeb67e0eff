import { expect, it } from "vitest";
import { makeMessage } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import { withRecord, writeAttemptLog } from "../runtime/attempt-log.ts";
import { isCharged } from "./charged.ts";

const at = "2026-11-15T12:00:00.000Z";
const nothing = { attempt: 0, firstFailedAt: null, history: [] };
const charged = withRecord(nothing, { n: 1, at, started: true, by: "shop" });
const withLog = (log: typeof charged) => makeMessage({ body: "x", headers: writeAttemptLog([], "orders", log) });

it("knows a message whose last attempt was charged in its queue, and none whose last attempt has a result", () => {
  expect(isCharged(withLog(charged), "orders")).toBe(true);
  expect(isCharged(withLog(charged), "others")).toBe(false);
  expect(isCharged(withLog(withRecord(charged, { n: 2, at, class: "Error" })), "orders")).toBe(false);
  expect(isCharged(withLog(withRecord(charged, { n: 1, at, class: "Error", message: "{}" })), "orders")).toBe(false);
  expect(isCharged(makeMessage({ body: "x" }), "orders")).toBe(false);
  expect(
    isCharged(makeMessage({ body: "x", headers: { [wire.queue]: "orders", [wire.history]: "nonsense" } }), "orders"),
  ).toBe(false);
});
