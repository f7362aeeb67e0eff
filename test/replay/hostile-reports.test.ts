import { beforeAll, describe, expect, it } from "vitest";
import { readReport } from "../../src/domain/read-report.ts";
import { workingConsumers } from "../../src/ledger/consumers.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { hearReport } from "../../src/office/replay/hear-report.ts";
import { onEachDatabase } from "../servers/each-database.ts";

const who = { v: 1, service: "shop", version: "1", instance: "a", queue: "orders", at: "2026-01-01T00:00:00.000Z" };
const queue = { queue: "orders", schemas: [], inboxWindowS: null, retryHorizonS: 60, probe: false };
const beat = { ...who, kind: "heartbeat", queues: [queue] };
const breaker = { ...who, kind: "breaker", name: "bank", state: "open", since: who.at };
const answer = { ...who, kind: "probe", question: "q", effect: "done" };
const beatOf = (said: object) => ({ ...beat, queues: [{ ...queue, ...said }] });

const hostile: Readonly<Record<string, object>> = {
  "a NUL in the name of a service": { ...beat, service: "a\u0000b" },
  "a NUL in the name of a queue": beatOf({ queue: "or\u0000ders" }),
  "a NUL in the name of a schema": beatOf({ schemas: [{ name: "a\u0000", versions: [] }] }),
  "a NUL in the name of a breaker": { ...breaker, name: "\u0000" },
  "a NUL in a question": { ...answer, question: "\u0000" },
  "a NUL in the queue of an answer": { ...answer, queue: "\u0000" },
  "half a character": { ...beat, version: "\ud800" },
  "a wait beyond all calendars": beatOf({ retryHorizonS: 1e300 }),
  "an inbox that remembers beyond all calendars": beatOf({ inboxWindowS: 1e300 }),
  "a year of six digits": { ...breaker, since: "+275760-09-13T00:00:00.000Z" },
  "a year before the first": { ...breaker, since: "-000001-01-01T00:00:00.000Z" },
  "a time before all calendars": { ...breaker, at: "-271821-04-20T00:00:00.000Z" },
};

const read = (said: object) => readReport(new TextEncoder().encode(JSON.stringify(said)));

describe("a report, which anyone may write,", () => {
  it.each(Object.entries(hostile))(
    "is none with %s: it could never be kept, and would come again for ever",
    (_, said) => {
      expect(read(said)).toBeNull();
    },
  );
});

onEachDatabase("a heartbeat", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  it.each([undefined, null, "perhaps"])(
    "that says %j of its probe is kept, and nobody is asked there",
    async (probe) => {
      const report = read(beatOf({ probe }));
      if (report === null) throw new Error("It is a heartbeat all the same.");
      await hearReport(ledger, "rabbit", report);
      const working = await workingConsumers(ledger, ["orders"]);
      expect(working.get("rabbit/orders")).toMatchObject([{ service: "shop", probe: false }]);
    },
  );
});
