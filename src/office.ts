/**
 * The office in a program of your own: all that the command `dlo` does, by the same table of operations. Needs `zod` and
 * `yaml`, `pg` or `@electric-sql/pglite` for the ledger, and the client of each broker that is drained.
 */
export { type DrainRequest, type OfficeSettings, type OpenedOffice, openOffice } from "./compose.ts";
export type { Actor, Role } from "./domain/actor.ts";
export type { DrainProgress, DrainTuning } from "./office/intake/drain.ts";
export type { Call, InputOf, OperationName, OutputOf } from "./office/operations/operations.ts";
export type { ImportedDocument, ImportResult } from "./office/transfer/import-letters.ts";
