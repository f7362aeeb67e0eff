import { expect, it } from "vitest";
import { openLedger } from "../../src/ledger/ledger.ts";
import { callsOn } from "../policy/office.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { arrive } from "./grouped-letters.ts";
import { tester } from "./letters.ts";

describeServer("what letters of a group have in common", noPostgres, () => {
  const postgres = usePostgres();

  it("is compared with others of its queue in a storm too, when all that came lately is of the one group", async () => {
    const ledger = await openLedger({ database: postgres.database, schema: "likeness" });
    const failures = (n: number, message: string) => Array.from({ length: n }, () => ({ message }));
    await arrive(ledger, failures(3, "the lamp is dark"));
    const [letter = ""] = await arrive(ledger, failures(501, "flux inverted"));
    const call = callsOn(ledger);
    const { group } = await call("letters.get", tester, { id: letter });
    const { looked, compared, fields } = await call("groups.common", tester, { id: group });
    expect([looked, compared]).toEqual([500, 3]);
    expect(fields.map(({ field }) => field)).toContain("dead-letter queue");
  });
});
