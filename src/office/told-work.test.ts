import { expect, it } from "vitest";
import type { Ledger } from "../ledger/ledger.ts";
import { statusOf } from "./standing-work.ts";
import { workOfOffice } from "./told-work.ts";

it("leaves out what another version tells that it does not understand, and nothing beside it", async () => {
  const at = new Date("2026-11-15T14:00:00Z");
  const drain = { source: "rabbit", queue: "orders.dlq", state: "draining", held: 3, since: at.getTime() };
  const well = { trouble: null, lastTrouble: null, troubledSince: null };
  const work = {
    drains: [
      { ...drain, ...well },
      { ...drain, ...well, queue: "mails.dlq", state: "resting" },
    ],
    sweeps: [{ name: "what nobody does yet" }],
  };
  const row = {
    ...{ id: "0000-2", version: "9", knows: 99, duties: ["intake"], host: "dlo-2:7", started_at: at, lives: true },
    ...{ told_at: at, work: JSON.stringify({ now: at.getTime(), work }), clock_ahead_ms: 0, followers: 0 },
  };
  const database = { query: async () => ({ rows: [row] }) };
  const ledger = { database, at: "dlo", scope: [] } as unknown as Ledger;
  const self = { id: () => "0000-1", work: () => statusOf(null) } as Parameters<typeof workOfOffice>[0]["self"];
  const { drains, chores } = await workOfOffice({ ledger, self });
  expect(drains).toMatchObject([{ queue: "orders.dlq", held: 3, process: "0000-2" }]);
  expect(chores).toEqual([]);
});
