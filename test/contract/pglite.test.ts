import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, it } from "vitest";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import type { Database } from "../../src/domain/database.ts";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { startPglite } from "../servers/pglite.ts";
import { postgresSubject } from "./postgres-subject.ts";

describe("transport: postgres, on PGlite", () => {
  let pglite: PGlite;
  let database: Database;
  beforeAll(async () => {
    pglite = await startPglite();
    database = pgliteDatabase(pglite);
  });
  afterAll(() => pglite.close());
  // Everybody shares one thread with the database, so a short lease has to be somewhat longer.
  for (const { title, exempt, run } of transportContract(
    postgresSubject("pglite", () => database, { shortLeaseMs: 3_000 }),
  )) {
    it.skipIf(exempt).concurrent(title, run);
  }
});
