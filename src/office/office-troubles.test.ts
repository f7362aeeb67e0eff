import { expect, it } from "vitest";
import type { ToldProcess } from "../ledger/processes.ts";
import { officeTroubles } from "./office-troubles.ts";
import type { OfficeWork } from "./told-work.ts";

const now = Date.parse("2026-11-15T14:00:00Z");
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

const whole: ToldProcess = {
  ...{ id: "0000-1", version: "1.2.0", duties: ["http", "intake", "replay"], host: "dlo-1:7", knows: 54 },
  ...{ startedAt: ago(90), lives: true, toldAt: ago(0), work: "{}", clockAheadMs: 12, followers: 0 },
};
const idle: OfficeWork = { processes: [whole], drains: [], reports: [], replays: [], notifiers: [], chores: [] };

function drain(process: string, trouble: string | null): OfficeWork["drains"][number] {
  const troubledSince = trouble === null ? null : now - 60_000;
  const state = trouble === null ? "draining" : "waiting";
  return {
    ...{ source: "rabbit", queue: "orders.dlq", state, held: 3, since: now, process },
    ...{ trouble, troubledSince, lastTrouble: null },
  };
}

const sentences = (work: OfficeWork) => officeTroubles(work, now).map(({ sentence }) => sentence);

it("finds nothing wrong with an office that is well, or of which no process runs", () => {
  expect(officeTroubles({ ...idle, drains: [drain("0000-1", null)] }, now)).toEqual([]);
  expect(officeTroubles({ ...idle, processes: [] }, now)).toEqual([]);
});

it("says which duty nobody has, and how to start somebody who has it", () => {
  const pages = { ...idle, processes: [{ ...whole, duties: ["http", "replay"] as const }] };
  expect(officeTroubles(pages, now)).toMatchObject([
    {
      sentence: "No process that lives has the duty intake: dead-letter queues are not drained.",
      change: "Start one: dlo up --only intake",
    },
  ]);
});

it("tells a queue that nobody can drain from one that another process drains", () => {
  const processes = [whole, { ...whole, id: "0000-2", host: "dlo-2:7" }];
  const drains = [drain("0000-1", null), drain("0000-2", "connect ECONNREFUSED")];
  expect(sentences({ ...idle, processes, drains })).toEqual([
    "rabbit/orders.dlq is not drained by dlo-2:7: connect ECONNREFUSED.",
  ]);
  expect(sentences({ ...idle, drains: [drain("0000-1", "Login was refused.")] })).toEqual([
    "rabbit/orders.dlq is not drained: Login was refused.",
  ]);
});

it("tells of a process that fell silent for an hour", () => {
  const silent = { ...whole, id: "0000-2", host: "dlo-2:7", lives: false };
  const after = (minutes: number) => ({ ...idle, processes: [whole, { ...silent, toldAt: ago(minutes) }] });
  expect(officeTroubles(after(3), now)).toMatchObject([{ code: "process.vanished", since: now - 180_000 }]);
  expect(officeTroubles(after(61), now)).toEqual([]);
});

it("says that a clock is off by more than two seconds, and by how much", () => {
  const at = (clockAheadMs: number) => sentences({ ...idle, processes: [{ ...whole, clockAheadMs }] });
  expect(at(2_000)).toEqual([]);
  expect(at(-4_210)).toEqual([
    "The clock of dlo-1:7 is 4.2 s behind the database's, so times and ages may be off by that.",
  ]);
});

it("says that processes of two versions run", () => {
  const processes = [whole, { ...whole, id: "0000-2", version: "1.3.0", knows: 55 }];
  expect(sentences({ ...idle, processes })).toEqual([
    "Processes of 2 versions run side by side: 1.2.0 (schema 54), 1.3.0 (schema 55).",
  ]);
});
