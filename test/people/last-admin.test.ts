import { beforeAll, expect, it } from "vitest";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { countAdmins } from "../../src/ledger/people/people.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { testServer } from "../http/open-server.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";

describeServer("the last admin", noPostgres, () => {
  const postgres = usePostgres();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: postgres.database });
  });

  /** Ana and ben do something to each other, each before the other's change is stored. */
  async function atOnce(change: object): Promise<readonly number[]> {
    const { database, at } = ledger;
    const server = testServer(ledger, {});
    const [ana, ben] = [await server.signedIn("ana"), await server.signedIn("ben")];
    await database.query(
      `update ${at}.people set disabled_at = null, roles = case when id = 'root' then '{}' else '{admin}'::text[] end`,
      [],
    );
    const answers = await database.transaction(async (holding) => {
      await holding.query(`lock table ${at}.people in share mode`, []);
      const asked = [
        server.fromPage(ana, "/api/v1/people/ben", change),
        server.fromPage(ben, "/api/v1/people/ana", change),
      ];
      await eventually(
        async () => {
          const { rows } = await database.query<{ n: number }>(
            "select count(*)::integer as n from pg_locks where not granted",
            [],
          );
          expect(rows).toEqual([{ n: 2 }]);
        },
        { withinMs: 60_000 },
      );
      return asked;
    });
    return (await Promise.all(answers)).map(({ statusCode }) => statusCode).toSorted((one, other) => one - other);
  }

  it.each([{ roles: ["viewer"] }, { isDisabled: true }])(
    "is left when two do %j to each other at once",
    async (change) => {
      expect(await atOnce(change)).toEqual([200, 403]);
      expect(await countAdmins(ledger, ledger.database)).toBe(1);
    },
  );
});
