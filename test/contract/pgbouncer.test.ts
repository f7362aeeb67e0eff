import { it } from "vitest";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPgBouncer } from "../servers/pgbouncer.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { postgresSubject } from "./postgres-subject.ts";

describeServer("transport: postgres, behind PgBouncer in transaction mode", noPostgres ?? noPgBouncer, () => {
  const postgres = usePostgres({ pooled: true });
  for (const { title, exempt, run } of transportContract(postgresSubject("pgbouncer", () => postgres.database))) {
    it.skipIf(exempt).concurrent(title, run);
  }
});
