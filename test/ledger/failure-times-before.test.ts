import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { makeId, uuidOf } from "../../src/domain/ids.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { tester } from "./letters.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const firstThatCounts = "0053";
const group = "00000000-0000-0000-0000-000000000001";

/** The migrations of a version that counted everything from when letters came. */
function migrationsBefore(): URL {
  const folder = mkdtempSync(join(tmpdir(), "dlo-before-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const all = new URL("../../migrations/", import.meta.url);
  for (const name of readdirSync(all)) if (name < firstThatCounts) cpSync(new URL(name, all), join(folder, name));
  return pathToFileURL(`${folder}/`);
}

interface Held {
  readonly failedAt: number;
  readonly arrivedAt: number;
  readonly state?: string;
}

/** As that version wrote them: with counters that are added up, or still wait for that. */
async function holdAsBefore({ database, at }: Ledger, letters: readonly Held[], isFolded: boolean): Promise<void> {
  for (const { failedAt, arrivedAt, state = "open" } of letters) {
    const times = [failedAt, arrivedAt].map((ms) => new Date(ms).toISOString());
    await database.query(`select ${at}.make_partitions($1)`, [times[1]]);
    await database.query(
      `insert into ${at}.letters (id, source, broker, queue, drained_from, state, category, was, confidence, rule, side_effect,
         fingerprint, group_id, grouping_version, failed_at, failed_at_by, arrived_at, changed_at, size_bytes)
       values ($1, 'rabbit', 'amqp', 'orders', 'orders.dlq', $2, 'unknown', 'unknown', 1, 'r', 'none', '', $3, 0, $4, 'letter', $5, $5, 1)`,
      [uuidOf(makeId(arrivedAt, crypto.randomUUID())), state, group, ...times],
    );
    await database.query(
      `insert into ${at}.counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
       values ($1, 'rabbit', 'orders', 'unknown', $2, 1, 1, date_trunc('hour', $3::timestamptz), $3::timestamptz)`,
      [group, state, times[1]],
    );
  }
  if (isFolded) await database.query(`select ${at}.fold_counters(1000)`);
}

/** Letters of three weeks ago, one that was dropped, and those of clocks that were never set, are far ahead and a little ahead. */
async function holdWeeksOld(old: Ledger, { now, arrivedAt }: { readonly now: number; readonly arrivedAt: number }) {
  await old.database.query(
    `insert into ${old.at}.groups (id, source, queue, fingerprint, title, category, first_letter_id)
     values ($1, 'rabbit', 'orders', '', 'it failed', 'unknown', $1)`,
    [group],
  );
  const weeksOld = Array.from({ length: 30 }, () => ({ failedAt: now - 21 * dayMs, arrivedAt }));
  await holdAsBefore(old, weeksOld, true);
  await holdAsBefore(old, [{ failedAt: now - 30 * dayMs, arrivedAt, state: "dropped" }], true);
  await holdAsBefore(old, [{ failedAt: 1, arrivedAt }], true);
  await holdAsBefore(old, [{ failedAt: arrivedAt + dayMs, arrivedAt }], true);
  await holdAsBefore(old, [{ failedAt: arrivedAt + 2_000, arrivedAt }], false);
  // One that came back changed when the database said so, which counts finer than the office does.
  await old.database.query(
    `update ${old.at}.letters set replays = 1, changed_at = changed_at + interval '123 microseconds'
     where failed_at > changed_at + interval '1 hour'`,
    [],
  );
}

onEachDatabase("a ledger that counted from when letters came", (tested) => {
  it("counts from when they failed once it is brought up to date, also what an older process adds", async () => {
    const schema = `before_${tested.name.toLowerCase()}`;
    await migrate({ database: tested.database, schema }, migrationsBefore());
    const now = Date.now();
    const arrivedAt = now - 2 * hourMs;
    await holdWeeksOld({ database: tested.database, at: schema } as Ledger, { now, arrivedAt });

    const ledger = await openLedger({ database: tested.database, schema });
    const call = callsOn(ledger);
    const moment = (ms: number) => new Date(ms).toISOString();
    const { items } = await call("inbox.list", tester, {});
    expect(items).toMatchObject([
      {
        ...{ why: "aging", open: 33, total: 34, oldestOpenAt: moment(now - 21 * dayMs) },
        ...{ firstFailedAt: moment(now - 30 * dayMs), lastFailedAt: moment(arrivedAt) },
        ...{ firstArrivedAt: moment(arrivedAt), lastArrivedAt: moment(arrivedAt) },
      },
    ]);
    expect(items[0]?.hours.reduce((sum, n) => sum + n, 0)).toBe(3);
    const { items: letters } = await call("letters.list", tester, { q: "age:<1d" });
    expect(letters.map(({ failedAt, failedAtBy }) => `${failedAt} ${failedAtBy}`).toSorted()).toEqual([
      `${moment(arrivedAt)} arrival`,
      `${moment(arrivedAt)} arrival`,
      `${moment(arrivedAt)} letter`,
    ]);
    const { rows } = await tested.database.query<{ id: string }>(
      `select id from ${schema}.letters where failed_at <> date_trunc('milliseconds', failed_at)`,
    );
    expect(rows, "pages go on from a time of failure that is written to the millisecond").toEqual([]);

    // While the new version is rolled out.
    await holdAsBefore(ledger, [{ failedAt: now - 25 * dayMs, arrivedAt: now }], false);
    const [after] = (await call("inbox.list", tester, {})).items;
    expect(after).toMatchObject({ open: 34, total: 35, oldestOpenAt: moment(now - 25 * dayMs) });

    // One that came back to such a process, and then to a new one, leaves an hour in which it never was.
    await tested.database.query(
      `insert into ${schema}.group_hours (group_id, hour, n) values ($1, date_trunc('hour', now()) - interval '9 hours', -1)`,
      [group],
    );
    const { failures } = await call("queues.list", tester, {});
    const [left] = (await call("inbox.list", tester, {})).items;
    expect(Math.min(...(left?.hours ?? []), ...failures.flatMap(({ hours }) => hours))).toBe(0);
  });
});
