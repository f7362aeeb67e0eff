import { expect, it } from "vitest";
import { recordAction } from "../../src/ledger/audit.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { deadLetter, hold, tester, testRoom } from "../ledger/letters.ts";
import { useLedger } from "./open-server.ts";

const ledgers = useLedger();
const hourMs = 3_600_000;

/** A word for each, since numbers in messages do not make another group. */
const named = (n: number) =>
  n.toString(26).replaceAll(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));

it("counts all that is open, that was decided and that runs, however much else there is", async () => {
  const server = await ledgers.open();
  const { ledger } = server;
  const cookie = await server.signedIn("ana");
  const die = (queue: string, count: number, arrivedAt: number) =>
    hold(
      ledger,
      Array.from({ length: count }, (_, n) => ({
        letter: deadLetter({
          body: `${queue} ${n}`,
          headers: { queue, class: `Error ${named(n)}` },
        }),
        found: { kind: "position", position: `${queue} ${n}` } as const,
      })),
      { room: testRoom(() => arrivedAt) },
    );
  // More groups than a list gives, and the oldest letter is in the one that comes last.
  await die("orders", 200, Date.now() - hourMs);
  await die("mails", 1, Date.now() - 30 * hourMs);

  const plan = await server.fromPage(cookie, "/api/v1/replays", { q: "queue:mails" });
  const { database, at } = ledger;
  const [running] = (
    await database.query<{ id: string }>(`update ${at}.replays set state = 'running' returning id`, [])
  ).rows;
  expect(plan.statusCode).toBe(200);
  // Sixty of later, of which nobody has to hear any more.
  await database.query(
    `insert into ${at}.replays select (jsonb_populate_record(r, jsonb_build_object(
       'id', 'ffffffff-ffff-7fff-bfff-' || lpad(n::text, 12, '0'), 'state', 'finished', 'ended_at', r.frozen_at - interval '2 days'
     ))).* from ${at}.replays r, generate_series(1, 60) n where r.id = $1`,
    [running?.id],
  );

  const deed = (action: string, ageMs: number) =>
    recordAction(ledger, database, { at: Date.now() - ageMs, actor: tester, action, details: {} });
  for (const ageMs of [20 * hourMs, 2 * hourMs, 2 * hourMs]) await deed("letters.dropped", ageMs);
  const drained = Buffer.from(JSON.stringify({ at: new Date().toISOString(), actor: tester, action: "letters.held" }));
  await database.query(`select ${at}.append_audit($1) from generate_series(1, 1001)`, [drained]);

  const report = (await server.fromPage(cookie, "/api/v1/report")).json<OutputOf<"report.get">>();
  const queues = (await server.fromPage(cookie, "/api/v1/queues")).json<OutputOf<"queues.list">>();
  expect(report).toMatchObject({ open: 201, openGroups: 201, oldestOpenAt: queues.oldest[0]?.failedAt });
  expect(report.replays.map(({ state }) => state)).toEqual(["running"]);
  expect(report.deeds).toEqual([{ action: "letters.dropped", by: tester.id, n: 2 }]);
});
