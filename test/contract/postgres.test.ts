import { it } from "vitest";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { postgresSubject } from "./postgres-subject.ts";

describeServer("transport: postgres", noPostgres, () => {
  const postgres = usePostgres();
  for (const { title, exempt, run } of transportContract(postgresSubject("postgres", () => postgres.database))) {
    it.skipIf(exempt).concurrent(title, run);
  }
});
