import { expect, it } from "vitest";
import { auditSentence } from "./audit-words.ts";

it.each([
  [
    "replay.halted",
    { replay: "rpl_1", guard: "returns", sentence: "1 of 5 came back." },
    "rpl_1 was halted by its guard on returns: 1 of 5 came back.",
  ],
  ["replay.paused", { replay: "rpl_1", reason: null, because: "outcome unknown" }, "paused rpl_1: outcome unknown"],
  [
    "replay.acknowledged",
    { replay: "rpl_1", numbers: [1, 2], reason: "the bank says no" },
    "answered for 2 letters of rpl_1: the bank says no",
  ],
  [
    "letters.dropped",
    { letters: ["a", "b", "c", "d", "e"], reason: "tests", reference: "OPS-1" },
    "dropped 5 letters: a, b, c and 2 more: tests (OPS-1)",
  ],
  [
    "letters.held",
    { source: "shop", drainedFrom: "partners.dlq", held: 1, merged: 0, returned: ["rpl_1/2", "rpl_1/3"] },
    "took in 1 letter from shop/partners.dlq; 2 letters of rpl_1 came back from shop/partners.dlq",
  ],
  [
    "letters.held",
    { source: "shop", drainedFrom: "partners.dlq", held: 0, merged: 1200 },
    "found 1,200 letters again from shop/partners.dlq",
  ],
  [
    "people.changed",
    { person: "ben", from: ["viewer"], to: ["operator", "approver"] },
    "changed the roles of ben from viewer to operator, approver",
  ],
  ["of.a_later_version", { reason: "who knows" }, "of a later version: who knows"],
])("says what %s of %o was", (action, details, said) => {
  expect(auditSentence(action, details)).toBe(said);
});
