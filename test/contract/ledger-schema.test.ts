import { beforeAll, expect, it } from "vitest";
import { categories } from "../../src/domain/classification.ts";
import { letterStates, openStates } from "../../src/domain/letter.ts";
import { type Ledger, makeReadyFor, openLedger } from "../../src/ledger/ledger.ts";
import { onEachDatabase } from "../servers/each-database.ts";

const refused = { code: "23001" };

onEachDatabase("the ledger's tables", (tested) => {
  let ledger: Ledger;
  const ask = async <Row>(sql: string, values: readonly unknown[] = []) =>
    (await ledger.database.query<Row>(sql.replaceAll("dlo.", `${ledger.at}.`), values)).rows;

  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database, schema: "office" });
    await ask(
      `insert into dlo.letters select dlo.first_id_at(dlo.clock()), 's', 'b', 'q', 'q.dlq', 'open', 'unknown', 'unknown', 0, 'r',
        'none', '\\x00', gen_random_uuid(), 0, null, null, null, 1, 0, null, now(), 'arrival', now(), now(), 0`,
    );
    await ask(`insert into dlo.bodies (letter_id, reading, keys) select id, '\\x', '{}' from dlo.letters`);
    await ask(`insert into dlo.attempts (letter_id, n, at, kind) select id, 1, now(), 'sent' from dlo.letters`);
    await ask(`insert into dlo.classifications (letter_id, n, at, category, confidence, rule, why, side_effect, fingerprint, words)
      select id, 1, now(), 'unknown', 0, 'r', 'w', 'none', '\\x', '' from dlo.letters`);
    await ask("select dlo.append_audit('first')");
    await ask("insert into dlo.letter_keys values ('key', gen_random_uuid())");
    await ask("insert into dlo.stacks values (now(), 'id', 'stack')");
  });

  const partitionOf = async (table: string) => {
    const [row] = await ask<{ name: string }>(`select tableoid::regclass::text as name from dlo.${table}`);
    return row?.name ?? "";
  };

  it.each(["bodies", "attempts", "classifications"])(
    "refuse a change of %s, also by the partition's own name",
    async (table) => {
      const partition = await partitionOf(table);
      expect(partition).toMatch(new RegExp(`office\\.${table}_\\d{8}$`));
      for (const name of [`dlo.${table}`, partition]) {
        await expect(ask(`update ${name} set letter_id = letter_id`)).rejects.toMatchObject(refused);
        await expect(ask(`delete from ${name}`)).rejects.toMatchObject(refused);
        await expect(ask(`truncate ${name}`)).rejects.toMatchObject(refused);
      }
      expect(await ask(`select from dlo.${table}`)).toHaveLength(1);
    },
  );

  it("refuse to forget a letter or to rewrite how it came, and let its state change", async () => {
    const partition = await partitionOf("letters");
    for (const name of ["dlo.letters", partition]) {
      await expect(ask(`delete from ${name}`)).rejects.toMatchObject(refused);
      await expect(ask(`truncate ${name}`)).rejects.toMatchObject(refused);
      await expect(ask(`update ${name} set was = 'transient'`)).rejects.toMatchObject(refused);
    }
    await ask("update dlo.letters set state = 'dropped', category = 'poison'");
    await expect(ask("update dlo.letters set state = 'lost'")).rejects.toMatchObject({ code: "23514" });
  });

  it.each(["audit_log", "letter_keys", "stacks", "group_changes", "policy_versions"])(
    "refuse to empty %s",
    async (table) => {
      await expect(ask(`truncate dlo.${table}`)).rejects.toMatchObject(refused);
    },
  );

  it("know the states and categories that the code knows", async () => {
    const rows = await ask<{ check: string }>(
      "select pg_get_constraintdef(oid) as check from pg_constraint where conrelid = 'dlo.letters'::regclass and contype = 'c'",
    );
    const listed = rows.map(({ check }) => [...check.matchAll(/'(\w+)'::text/g)].map(([, name]) => name));
    expect(listed).toContainEqual([...letterStates]);
    expect(listed).toContainEqual([...categories]);
    const open = await ask<{ state: string }>(
      "select state from unnest($1::text[]) as state where dlo.is_open(state)",
      [[...letterStates]],
    );
    expect(open.map(({ state }) => state)).toEqual([...openStates]);
  });

  it("refuse a change of the audit log", async () => {
    await expect(ask("update dlo.audit_log set entry = 'other'")).rejects.toMatchObject(refused);
    await expect(ask("delete from dlo.audit_log")).rejects.toMatchObject(refused);
  });

  it("have partitions for weeks to come, made once, and for any other time when asked", async () => {
    const count = async () => Number((await ask<{ n: string }>("select count(*) as n from pg_inherits"))[0]?.n);
    const before = await count();
    await openLedger({ database: tested.database, schema: "office" });
    expect(await count()).toBe(before);
    await makeReadyFor(ledger, Date.UTC(2031, 4, 1));
    await makeReadyFor(ledger, Date.UTC(2031, 4, 2));
    expect(await count()).toBeGreaterThan(before);
    const [row] = await ask<{ name: string | null }>("select to_regclass('dlo.letters_20310501')::text as name");
    expect(row?.name).toBe("office.letters_20310501");
  });
});
