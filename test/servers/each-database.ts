import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe } from "vitest";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import type { Database } from "../../src/domain/database.ts";
import { describeServer } from "./describe-server.ts";
import { startPglite } from "./pglite.ts";
import { noPostgres } from "./postgres.ts";
import { usePostgres } from "./use-postgres.ts";

/** A database that may be read once the tests run. */
export interface TestedDatabase {
  readonly name: "PostgreSQL" | "PGlite";
  readonly database: Database;
}

/** The same tests on PostgreSQL and on PGlite. */
export function onEachDatabase(title: string, tests: (tested: TestedDatabase) => void): void {
  describeServer(`${title}, on PostgreSQL`, noPostgres, () => {
    const postgres = usePostgres();
    tests({
      name: "PostgreSQL",
      get database() {
        return postgres.database;
      },
    });
  });

  describe(`${title}, on PGlite`, () => {
    let pglite: PGlite | undefined;
    beforeAll(async () => {
      pglite = await startPglite();
    });
    afterAll(() => pglite?.close());
    tests({
      name: "PGlite",
      get database() {
        if (pglite === undefined) throw new Error("It is open only while tests run.");
        return pgliteDatabase(pglite);
      },
    });
  });
}
