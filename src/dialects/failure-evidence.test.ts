import { describe, expect, it } from "vitest";
import { type DeadLetter, emptyReading } from "../domain/dead-letter.ts";
import { makeMessage } from "../domain/message.ts";
import { failureEvidence } from "./failure-evidence.ts";

const letter: DeadLetter = {
  ...{ broker: "kafka", queue: "orders.DLT", message: makeMessage({ body: "{}" }), exchange: null, routingKey: null },
  ...{ partition: null, offset: null, timestamp: null, redelivered: false },
};

describe("what triage may look at", () => {
  it("is no more of a class than the ledger keeps, whatever a sender calls one", () => {
    const errorClass = "com.example.Boom".repeat(60_000);
    expect(failureEvidence(letter, { ...emptyReading, errorClass }).errorClass).toBe(errorClass.slice(0, 200));
    expect(failureEvidence(letter, emptyReading).errorClass).toBeNull();
  });

  it.each([
    ["no line", ""],
    ["one", "Error: x"],
    ["a few", "Error: x\n  at a (b.js:1:1)\n\n  at c (d.js:2:2)"],
    ["more than are remembered", `Error: x\n${"  at a (b.js:1:1)\n".repeat(600)}`],
  ])("is at most 200 lines of a stack that has %s", (_name, stack) => {
    const evidence = failureEvidence(letter, { ...emptyReading, stack });
    expect(evidence.stack).toEqual(stack.split("\n", 200));
    expect(failureEvidence(letter, { ...emptyReading, stack }).stack).toEqual(evidence.stack);
  });
});
