import type { Database } from "../domain/database.ts";
import { migrate, pendingMigrations } from "./migrate.ts";

/** A database whose statements have a limit of time, and a way around it. */
export interface PatientDatabase {
  readonly database: Database;
  patiently<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
}

/** As `migrate`; but a statement of a migration may take minutes, as may waiting for another process that migrates. */
export async function bringUpToDate({ database, patiently }: PatientDatabase): Promise<readonly string[]> {
  if ((await pendingMigrations({ database })).length === 0) return [];
  return patiently((patient) => migrate({ database: patient }));
}
