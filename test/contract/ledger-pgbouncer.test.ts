import { beforeAll, expect, it } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { HoldOutcome } from "../../src/ledger/hold-letters.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { countQueues, oldestPerQueue } from "../../src/ledger/search/count-queues.ts";
import { findGroups } from "../../src/ledger/search/find-groups.ts";
import { findLetters, type LetterSummary, type Page } from "../../src/ledger/search/find-letters.ts";
import { verifyAudit } from "../../src/ledger/verify-audit.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { bodiesOf, countsOf, holdLetters, planned, replayWorld, run, started } from "../replay/world.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPgBouncer } from "../servers/pgbouncer.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";

/** Each transaction may run on another of few connections, which the other office uses as well. */
describeServer("a ledger behind PgBouncer in transaction mode", noPostgres ?? noPgBouncer, () => {
  const postgres = usePostgres({ pooled: true });
  const offices: Ledger[] = [];
  let outcomes: readonly HoldOutcome[] = [];

  beforeAll(async () => {
    const open = () => openLedger({ database: pgDatabase(postgres.otherPool({ max: 4 }), { listener: false }) });
    offices.push(...(await Promise.all([open(), open(), open()])));
    const letters = Array.from({ length: 65 }, (_, n) => ({
      letter: deadLetter({ body: `letter ${n}`, headers: { queue: `queue-${n % 3}`, class: "Error", message: "no" } }),
      found: { kind: "position", position: String(n) } as const,
    }));
    // Each batch has half of the next one's letters too, and another office holds that at the same time.
    const batches = Array.from({ length: 12 }, (_, n) => letters.slice(n * 5, n * 5 + 10));
    outcomes = (await Promise.all(batches.map((batch, n) => hold(office(n), batch)))).flat();
  });

  const office = (n: number): Ledger => {
    const ledger = offices[n % offices.length];
    if (ledger === undefined) throw new Error("The offices are open only while tests run.");
    return ledger;
  };
  const search = { now: Date.now(), retentionMs: 1e12 };

  it("is made once by offices that open it at the same time, and takes each letter in once", async () => {
    expect(outcomes.filter((outcome) => outcome === "new")).toHaveLength(65);
    expect(outcomes.filter((outcome) => outcome === "known")).toHaveLength(55);
    expect((await verifyAudit(office(0), null)).problem).toBeNull();
  });

  it("answers lists, pages and counts", async () => {
    const found: string[] = [];
    for (let after: string | null = null, n = 0; n === 0 || after !== null; n++) {
      const asked = { q: "queue:queue-*", sort: "-arrived", limit: 7, after, ...search } as const;
      const page: Page<LetterSummary> = await findLetters(office(n), asked);
      found.push(...page.items.map(({ id }) => id));
      after = page.next;
    }
    expect(new Set(found).size).toBe(65);
    expect(found).toHaveLength(65);
    const groups = await findGroups(office(1), { q: "queue:queue-*", limit: 50, onlyOpen: true, ...search });
    expect(groups.map(({ open }) => open)).toEqual([22, 22, 21]);
    const counts = (await countQueues(office(2))).filter(({ queue }) => queue.startsWith("queue-"));
    expect(counts.map(({ n }) => n)).toEqual([22, 22, 21]);
    const oldest = await oldestPerQueue(office(0));
    expect(oldest.filter(({ queue }) => queue.startsWith("queue-"))).toHaveLength(3);
  });

  it("lets one of several offices lead a replay, and each letter go once", async () => {
    const bodies = Array.from({ length: 30 }, (_, n) => `replayed ${n}`);
    const letters = await holdLetters(office(0), bodies);
    const worlds = [0, 1, 2].map((n) => replayWorld(office(n), { protocol: { batch: 3, ramp: [] } }));
    const [first] = worlds;
    if (first === undefined) throw new Error("There are three.");
    const replay = await planned(first.parts, letters);
    await started(first.parts, replay);
    await Promise.all(worlds.map(({ parts }) => run(parts, replay)));
    const sent = worlds.flatMap((world) => bodiesOf(world.sent));
    expect(sent.toSorted()).toEqual(bodies.toSorted());
    expect(await countsOf(first.parts, replay)).toMatchObject({ sent: 30, inDoubt: 0, notYetSent: 0 });
  });
});
