import { beforeAll, expect, it } from "vitest";
import { recordAction } from "../../src/ledger/audit.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { verifyAudit } from "../../src/ledger/verify-audit.ts";
import { tester } from "../ledger/letters.ts";
import { onEachDatabase } from "../servers/each-database.ts";

onEachDatabase("the audit log", (tested) => {
  let ledger: Ledger;
  let schema = 0;
  const ask = (sql: string) => ledger.database.query(sql.replaceAll("dlo.", `${ledger.at}.`), []);

  async function begin(entries: number): Promise<void> {
    schema += 1;
    ledger = await openLedger({ database: tested.database, schema: `audit_${schema}` });
    const write = (n: number) =>
      recordAction(ledger, ledger.database, { at: n, actor: tester, action: "test.done", details: { n } });
    await Promise.all(Array.from({ length: entries }, (_, n) => write(n)));
  }
  /** As somebody does who owns the database. */
  const tamper = (sql: string) => ask(`alter table dlo.audit_log disable trigger all`).then(() => ask(sql));

  beforeAll(() => begin(1));

  it("is whole however many write at once, and does not fork", async () => {
    await begin(50);
    expect(await verifyAudit(ledger, null)).toMatchObject({ entries: 50, problem: null });
  });

  it.each([
    ["an edit", "update dlo.audit_log set entry = 'other' where n = 7", "Entry 7 is not what was written"],
    [
      "an edit of its hash too",
      "update dlo.audit_log set entry = 'x', hash = sha256('x') where n = 7",
      "Entry 7 is not",
    ],
    ["a deletion", "delete from dlo.audit_log where n = 7", "Entry 7 is missing"],
    [
      "a reordering",
      "update dlo.audit_log a set entry = b.entry from dlo.audit_log b where (a.n, b.n) in ((7, 8), (8, 7))",
      "Entry 7 is not what was written",
    ],
    ["a cut", "delete from dlo.audit_log where n > 15", "The log ends at entry 15, but its head is at 20"],
    ["an addition", "insert into dlo.audit_log select n + 1, entry, hash from dlo.audit_log where n = 20", ""],
  ])("shows %s", async (what, sql, problem) => {
    await begin(20);
    await tamper(sql);
    const proof = await verifyAudit(ledger, null);
    if (what === "an addition") {
      // Beyond the head it is not in the chain, and the next entry collides with it.
      await expect(
        recordAction(ledger, ledger.database, { at: 0, actor: tester, action: "next", details: {} }),
      ).rejects.toThrow();
    } else expect(proof.problem).toContain(problem);
  });

  it("shows a cut end with its head set back, by an anchor kept elsewhere", async () => {
    await begin(20);
    const { head } = await verifyAudit(ledger, null);
    expect(await verifyAudit(ledger, head)).toMatchObject({ problem: null });
    await tamper("delete from dlo.audit_log where n > 15");
    await ask("update dlo.audit_head set n = 15, hash = (select hash from dlo.audit_log where n = 15)");
    expect((await verifyAudit(ledger, null)).problem).toBeNull();
    expect((await verifyAudit(ledger, head)).problem).toContain("anchor at entry 20 is not in this log");
  });
});
