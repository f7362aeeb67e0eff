import { expect, it } from "vitest";
import { fillLedger } from "../../bench/growth-letters.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { InputOf, OperationName } from "../../src/office/operations/operations.ts";
import { callsOn } from "../policy/office.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { overheard, type Reading, readBy } from "./rows-read.ts";

const asked = [
  ["inbox.list", { limit: 200 }],
  ["queues.list", {}],
  ["breakers.list", {}],
  ["topology.get", {}],
  ["status.get", {}],
  ["replays.list", { states: ["awaiting_approval"], limit: 200 }],
  ["letters.list", { limit: 1 }],
  ["letters.list", { limit: 1, sort: "-age" }],
  ["letters.count", { q: "failed:>now-1s" }],
  ["letters.list", { limit: 1, q: "is:mine" }],
  ["letters.list", { limit: 1, q: "is:acknowledged,snoozed" }],
  ["letters.list", { limit: 1, q: "-consumer:typo" }],
  ["letters.list", { limit: 1, q: "queue:queue-1 -type:typo -host:typo" }],
  ["insights.get", {}],
  ["alerts.preview", { name: "draft", kind: "depth" }],
] as const satisfies readonly (readonly [OperationName, InputOf<OperationName>])[];

/** All groups are Ana's and acknowledged, and so were many others that are settled by now. */
async function acknowledgeGroups({ database, at }: Ledger): Promise<void> {
  const columns = "source, queue, title, category, first_letter_id";
  await database.query(
    `insert into ${at}.groups (id, fingerprint, ${columns}) select gen_random_uuid(), sha256(n::text::bytea), ${columns}
     from (select * from ${at}.groups limit 1) g cross join generate_series(1, $1::integer) as s (n)`,
    [3_000],
  );
  await database.query(
    `insert into ${at}.group_words (group_id, n, at, actor, kind, said, stood)
     select g.id, k.n, now(), 'ana', k.kind, k.said,
       json_build_object('open', g.open, 'category', g.category, 'isGrowing', true)::text
     from ${at}.groups g cross join (values (1, 'assigned', 'ana'), (2, 'acknowledged', null)) as k (n, kind, said)
     where k.kind = 'acknowledged' or g.open > 0`,
    [],
  );
  for (const table of ["groups", "group_words"]) await database.query(`vacuum (analyze) ${at}.${table}`, []);
}

/** Each queue has consumers, of which one has a breaker that is open, and a deploy; each bug a fix; and half of the groups had returns. */
async function openGates({ database, at }: Ledger): Promise<void> {
  const schemas = `'[{"name":"OrderPlaced","versions":["1","2"]}]'`;
  const of = `from (select distinct source, queue from ${at}.groups) q`;
  for (const statement of [
    `update ${at}.groups set category = 'poison' where category = 'business_rule'`,
    `insert into ${at}.consumer_versions (source, queue, service, version, first_seen_at) select source, queue, 'shop', '2.14.3', now() ${of}`,
    `insert into ${at}.consumers (source, queue, service, instance, version, schemas, retry_horizon_s, probe, last_seen_at)
     select source, queue, 'shop', n::text, '2.14.3', ${schemas}, 60, false, now() ${of}, generate_series(1, 3) n`,
    `insert into ${at}.breakers (source, queue, name, service, instance, state, since, said_at, heard_at)
     select source, queue, 'payments', 'shop', '1', 'open', now(), now(), now() ${of}`,
    `insert into ${at}.deploys (id, service, version, queues, schemas, deployed_at, recorded_by)
     select gen_random_uuid(), 'biller', '1', array[queue], '[]', now() - interval '100 days', 'ana' ${of}`,
    `insert into ${at}.fixes (id, group_id, fixed_at, called, recorded_by)
     select gen_random_uuid(), id, now() - interval '100 days', '4.2.1', 'ana' from ${at}.groups where category = 'poison'`,
    `insert into ${at}.group_returns (group_id, last_at) select id, now() from ${at}.groups where get_byte(fingerprint, 0) < 128`,
  ])
    await database.query(statement, []);
  for (const table of ["consumer_versions", "consumers", "breakers", "deploys", "fixes", "group_returns"])
    await database.query(`vacuum (analyze) ${at}.${table}`, []);
}

const admin = { id: "ana", kind: "human", roles: ["admin"] } as const;
/** Groups, and each one's hours of a day: what the inbox shows, however many letters there are. */
const mostRows = 10_000;
/** The latest week may have a few pages only, which PostgreSQL then reads whole for each group. On other days it has more. */
const ofSmallWeeks = 30 * 250;
/** What seems dearer to PostgreSQL is compiled first, which takes a hundred times as long as such an answer (`jit_above_cost`). */
const compiledFrom = 100_000;
/** Those that look at a number of letters, the latest, however few there are in all: and at no more. */
const mostOfSampled: Readonly<Record<string, number>> = {
  // Of each group of each queue, as `ofSmallWeeks` says.
  "topology.get": 60_000,
  "groups.common": 2_100,
  "groups.outage": 5_100,
  "alerts.preview": 21_000,
  "insights.get": 21_000,
  // The names that a search leaves out are checked in 8,000 letters each, and whether there are more.
  "letters.list -consumer:typo": 16_500,
  "letters.list queue:queue-1": 33_000,
};

describeServer("the questions of the inbox", noPostgres, () => {
  const postgres = usePostgres();

  it("read a bounded number of rows each: twenty times as many letters cost no more", async () => {
    const read = async (letters: number) => {
      const { database, heard } = overheard(postgres.database);
      const ledger = await openLedger({ database, schema: `of_${letters}` });
      await fillLedger(ledger, letters, 1_000);
      await acknowledgeGroups(ledger);
      await openGates(ledger);
      const call = callsOn(ledger);
      const found: Record<string, Reading> = {};
      const { items } = await call("groups.list", admin, { limit: 200 });
      const id = items[0]?.id ?? "";
      const bug = items.find(({ category }) => category === "poison")?.id ?? "";
      const ofGroups = [
        ["groups.get", { id }],
        ["groups.get", { id: bug }],
        ["groups.common", { id }],
        ["groups.outage", { id }],
      ] as const;
      for (const [name, input] of [...asked, ...ofGroups]) {
        heard.length = 0;
        await call(name, admin, input);
        const statements = [...heard];
        expect(statements.length, name).toBeGreaterThan(0);
        const about = `${name} ${"q" in input ? input.q : "id" in input && input.id === bug ? "of a bug" : ""}`;
        for (const [index, statement] of statements.entries())
          found[`${about} ${index + 1}`] = await readBy(postgres.database, statement);
      }
      return found;
    };
    const few = await read(1_000);
    const many = await read(20_000);
    for (const [name, { rows, cost }] of Object.entries(many)) {
      expect(cost, name).toBeLessThan(compiledFrom);
      const [operation = "", q] = name.split(" ");
      const most = mostOfSampled[operation] ?? mostOfSampled[`${operation} ${q}`];
      expect(rows, name).toBeLessThan(most ?? mostRows);
      if (most === undefined) expect(rows, name).toBeLessThanOrEqual(1.5 * (few[name]?.rows ?? 0) + ofSmallWeeks);
    }
  });
});
