import { expect, it } from "vitest";
import { historyOf } from "./letter-history.ts";

const letter = { attempts: 2, attemptLog: [], arrivedAt: "2026-11-15T14:04:49Z", drainedFrom: "orders.dlq" };
const classified = { confidence: 0.98, rule: "net.timeout", why: "It says so.", sideEffect: "none", runnerUp: null };

it("tells a letter's life since it came in the order in which it happened", () => {
  const events = historyOf(
    {
      ...letter,
      classifications: [
        { ...classified, n: 1, at: "2026-11-15T14:04:49Z", category: "transient", by: null },
        { ...classified, n: 2, at: "2026-11-15T14:54:10Z", category: "schema_mismatch", by: "ana" },
      ],
      decision: {
        ...{ at: "2026-11-15T15:10:00Z", by: "ana", action: "letters.dropped" },
        ...{ reason: "the order was cancelled", reference: "OPS-7" },
      },
      tagHistory: [
        { at: "2026-11-15T14:52:00Z", change: "tagged", tags: ["hold"], by: "ana", reason: "disputed", of: "letter" },
        { at: "2026-11-15T14:53:00Z", change: "untagged", tags: ["a", "b"], by: "ben", reason: null, of: "group" },
      ],
      history: [
        { n: 1, at: "2026-11-15T14:54:00Z", kind: "sent", replay: "rpl_1", errorClass: null, errorMessage: null },
        {
          n: 2,
          at: "2026-11-15T14:54:10Z",
          kind: "returned",
          replay: "rpl_1",
          errorClass: "SchemaError",
          errorMessage: "x",
        },
      ],
    },
    [{ at: "2026-11-15T14:50:00Z", by: "ben", reason: "wrong currency", revision: 1 }],
  );
  expect(events.map(({ event, what }) => `${event} ${what}`)).toEqual([
    "arrived from orders.dlq",
    "classified transient, 98 % sure (net.timeout). It says so.",
    "edited revision 1 by ben: wrong currency",
    "tagged hold by ana: disputed",
    "untagged a, b (its group) by ben",
    "sent by rpl_1",
    "returned by rpl_1 · SchemaError: x",
    "classified schema_mismatch, 98 % sure (net.timeout, by ana). It says so.",
    "dropped by ana: the order was cancelled · OPS-7",
  ]);
});
