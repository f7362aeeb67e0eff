import { beforeAll, expect, it } from "vitest";
import type { Category, FailureEvidence } from "../../src/domain/classification.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { deadLetter, hold, tester, testRoom } from "./letters.ts";

const hourMs = 3_600_000;

onEachDatabase("an inbox of more groups than it shows", (tested) => {
  const manyGroups = 230;
  const openGroups = manyGroups + 8;
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
    await fail(["back"], 30 * hourMs);
    await ledger.database.query(
      `insert into ${ledger.at}.group_returns (group_id, last_at) select id, now() from ${ledger.at}.groups where queue = 'back'`,
    );
    await fail(["mended", "mended", "broken"], 30 * hourMs, "poison");
    const { items } = await call("groups.list", tester, { q: "queue:mended" });
    await call("fixes.record", tester, { group: items[0]?.id ?? "", called: "4.2.1" });
    await fail(["read", "unread"], 30 * hourMs, "schema_mismatch");
    await call("deploys.record", tester, { service: "reader", version: "2.15.0", queues: ["read"] });
  });

  /** Letters of these queues, each of one failure, so long ago. */
  async function fail(queues: readonly string[], agoMs: number, category: Category = "unknown"): Promise<void> {
    const letters = queues.map((queue) => ({
      letter: deadLetter({
        body: crypto.randomUUID(),
        headers: { queue, class: "TimeoutError", message: "timed out" },
      }),
      found: { kind: "position", position: crypto.randomUUID() } as const,
    }));
    const room = testRoom(() => Date.now() - agoMs);
    const classify = (evidence: FailureEvidence) => ({ ...room.triage.classify(evidence), category });
    await hold(ledger, letters, { room: { ...room, triage: { ...room.triage, classify } } });
  }

  it("begins with what came back, grows, may go now and is new, however few letters that has, and says how many there are in all", async () => {
    const inbox = await call("inbox.list", tester, { limit: 200 });
    expect(inbox.items).toHaveLength(200);
    expect(inbox.items.slice(0, 6).map(({ queue, why, open }) => [queue, why, open])).toEqual([
      ["back", "returned", 1],
      ["growing", "growing", 26],
      ["mended", "unblocked", 2],
      ["read", "unblocked", 1],
      ["busy", "new", 360],
      ["new", "new", 1],
    ]);
    expect(new Set(inbox.items.slice(6).map(({ why }) => why))).toEqual(new Set(["aging"]));
    expect(inbox).toMatchObject({ open: manyGroups * 3 + 360 + 26 + 1 + 6, openGroups });
    const few = await call("inbox.list", tester, { limit: 2 });
    expect(few.items.map(({ queue }) => queue)).toEqual(["back", "growing"]);
    expect(few.openGroups).toBe(openGroups);
  });

  it("has them in a report, too", async () => {
    const report = await call("report.get", tester, {});
    const first = ["back", "growing", "mended", "read", "busy", "new"];
    expect(report.groups.slice(0, 6).map(({ queue }) => queue)).toEqual(first);
    expect(report.openGroups).toBe(openGroups);
  });
});
