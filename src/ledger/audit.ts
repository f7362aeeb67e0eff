import type { Actor } from "../domain/actor.ts";
import type { Queries } from "../domain/database.ts";
import type { Ledger } from "./ledger.ts";

/** What somebody did, as it is remembered: JSON, written once and hashed as it stands. */
export interface AuditEntry {
  /** Milliseconds since 1970, by the clock of whoever did it. */
  readonly at: number;
  readonly actor: Actor;
  /** Such as `letters.held`. */
  readonly action: string;
  readonly details: AuditDetails;
}

/** Whatever else is to be known. What every entry has would be written over by one of the same name. */
export interface AuditDetails {
  readonly [name: string]: unknown;
  readonly at?: never;
  readonly actor?: never;
  readonly action?: never;
}

export function auditBytes({ at, actor, action, details }: AuditEntry): Uint8Array {
  const { id, kind, roles, token } = actor;
  const who = { id, kind, roles, ...(token === undefined ? {} : { token: token.id }) };
  return Buffer.from(JSON.stringify({ at: new Date(at).toISOString(), actor: who, action, ...details }, readable));
}

/** What no database reads as JSON is written as the character that stands for it: one such entry would hide all others. */
function readable(_: string, value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll(/\0|\p{Surrogate}/gu, "\uFFFD") : value;
}

/**
 * Remembers what somebody did. In a transaction that changes anything it comes last, so that nobody waits for the log longer
 * than the commit takes.
 */
export async function recordAction({ at }: Ledger, queries: Queries, entry: AuditEntry): Promise<void> {
  await queries.query(`select ${at}.append_audit($1::bytea)`, [auditBytes(entry)]);
}
