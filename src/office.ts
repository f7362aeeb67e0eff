/**
 * The office in a program of your own: all that the command `dlo` does, by the same table of operations. Needs `zod` and
 * `yaml`, `pg` or `@electric-sql/pglite` for the ledger, the client of each broker that is drained, and
 * `ajv` where the configuration names schemas.
 */
export { type OfficeSettings, type OpenedOffice, openOffice } from "./compose.ts";
export type { Actor, Role } from "./domain/actor.ts";
export type { DrainProgress, DrainRequest, DrainTuning } from "./office/intake/drain.ts";
export type { Call, InputOf, OperationName, OutputOf } from "./office/operations/operations.ts";
