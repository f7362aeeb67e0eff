import { beforeAll, expect, it } from "vitest";
import { recordAction } from "../../src/ledger/audit.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { noteSizes, readBacklog, readSizes } from "../../src/ledger/ledger-size.ts";
import { takeNotifierTurn } from "../../src/ledger/notifier-turns.ts";
import { callsOn } from "../policy/office.ts";
import { holdLetters } from "../replay/world.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { tester } from "./letters.ts";

onEachDatabase("the status of the ledger", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  it("has the size of each table with all of its weeks, and how it grew since a week ago", async () => {
    await noteSizes(ledger);
    const noted = (await readSizes(ledger)).find(({ table }) => table === "letters");
    expect(noted).toMatchObject({ bytes: expect.any(Number) as number, grew: null });
    await tested.database.query(`update ${ledger.at}.ledger_sizes set day = day - 9`);
    const many = Array.from({ length: 500 }, (_, n) => `letter ${n}`);
    await holdLetters(ledger, many);
    const now = (await readSizes(ledger)).find(({ table }) => table === "letters");
    expect(now?.bytes).toBeGreaterThan(noted?.bytes ?? 0);
    expect(now?.grew).toEqual({ bytes: (now?.bytes ?? 0) - (noted?.bytes ?? 0), overDays: 9 });
    await noteSizes(ledger);
    expect((await readSizes(ledger)).some(({ table }) => /_\d{8}$/.test(table))).toBe(false);
  });

  it("says how far a notifier is behind, and since when", async () => {
    expect(await takeNotifierTurn(ledger, { name: "pager", leaseMs: 1_000 })).not.toBeNull();
    expect(await readBacklog(ledger, ["pager"])).toEqual([{ name: "pager", behind: 0, since: null }]);
    const at = Date.parse("2026-11-15T14:00:00Z");
    const entry = { at, actor: tester, action: "test", details: {} };
    for (let n = 0; n < 2; n++) await recordAction(ledger, ledger.database, entry);
    const [pager] = await readBacklog(ledger, ["pager", "gone"]);
    expect([pager?.behind, Date.parse(pager?.since ?? "")]).toEqual([2, at]);
  });

  it("says which week goes next, and that one that could go is still there", async () => {
    const call = callsOn(ledger);
    const { weeks, schema, bytes, tables } = await call("status.ledger", tester, {});
    expect(weeks.n).toBeGreaterThan(4);
    expect(Date.parse(weeks.next?.from ?? "")).toBeGreaterThan(Date.parse(weeks.next?.week ?? ""));
    expect(schema).toBeGreaterThanOrEqual(53);
    expect(bytes).toBeGreaterThanOrEqual(tables.reduce((sum, each) => sum + each.bytes, 0));
    const before = await call("status.ledger", tester, {});
    expect(before.troubles).toEqual([]);
    await tested.database.query(`select ${ledger.at}.make_partitions('2020-01-01T00:00:00Z')`);
    const { troubles } = await call("status.ledger", tester, {});
    expect(troubles).toMatchObject([
      { code: "retention.due", change: expect.stringContaining("dlo retention apply") as string },
    ]);
  });
});
