import { beforeAll, expect, it } from "vitest";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { deadLetter, hold, tester, testRoom } from "./letters.ts";

const hourMs = 3_600_000;

onEachDatabase("an inbox of more groups than it shows", (tested) => {
  const manyGroups = 230;
  let ledger: Ledger;
  let call: Call;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database, schema: `urgent_${tested.name.toLowerCase()}` });
    call = callsOn(ledger);
    const old = Array.from({ length: manyGroups * 3 }, (_, n) => `old-${n % manyGroups}`);
    await fail(old, 30 * hourMs);
    // As many in each hour as it always had, and more than in a group that grows.
    for (let hour = 23; hour >= 0; hour--) await fail(Array<string>(15).fill("busy"), hour * hourMs);
    await fail(["growing", "growing"], 30 * hourMs);
    await fail(Array<string>(24).fill("growing"), 0);
    await fail(["new"], 2 * hourMs);
  });

  /** Letters of these queues, each of one failure, so long ago. */
  async function fail(queues: readonly string[], agoMs: number): Promise<void> {
    const letters = queues.map((queue) => ({
      letter: deadLetter({
        body: crypto.randomUUID(),
        headers: { queue, class: "TimeoutError", message: "timed out" },
      }),
      found: { kind: "position", position: crypto.randomUUID() } as const,
    }));
    await hold(ledger, letters, { room: testRoom(() => Date.now() - agoMs) });
  }

  it("begins with what grows and what is new, however few letters that has, and says how many there are in all", async () => {
    const inbox = await call("inbox.list", tester, { limit: 200 });
    expect(inbox.items).toHaveLength(200);
    expect(inbox.items.slice(0, 3).map(({ queue, why, open }) => [queue, why, open])).toEqual([
      ["growing", "growing", 26],
      ["busy", "new", 360],
      ["new", "new", 1],
    ]);
    expect(new Set(inbox.items.slice(3).map(({ why }) => why))).toEqual(new Set(["aging"]));
    expect(inbox).toMatchObject({ open: manyGroups * 3 + 360 + 26 + 1, openGroups: manyGroups + 3 });
    const few = await call("inbox.list", tester, { limit: 2 });
    expect(few.items.map(({ queue }) => queue)).toEqual(["growing", "busy"]);
    expect(few.openGroups).toBe(manyGroups + 3);
  });

  it("has them in a report, too", async () => {
    const { groups, openGroups } = await call("report.get", tester, {});
    expect(groups.slice(0, 3).map(({ queue }) => queue)).toEqual(["growing", "busy", "new"]);
    expect(openGroups).toBe(manyGroups + 3);
  });
});
