import type { Actor } from "../domain/actor.ts";
import type { Ledger } from "./ledger.ts";

/** What somebody did, as it is remembered: JSON, written once and hashed as it stands. */
export interface AuditEntry {
  /** Milliseconds since 1970, by the clock of whoever did it. */
  readonly at: number;
  readonly actor: Actor;
  /** Such as `letters.held`. */
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function auditBytes({ at, actor, action, details }: AuditEntry): Uint8Array {
  const { id, kind, roles } = actor;
  return Buffer.from(
    JSON.stringify({ at: new Date(at).toISOString(), actor: { id, kind, roles }, action, ...details }),
  );
}

/** Remembers something that changed nothing in the ledger, but that somebody will want to know of. */
export async function recordAction({ database, at }: Ledger, entry: AuditEntry): Promise<void> {
  await database.query(`select ${at}.append_audit($1::bytea)`, [auditBytes(entry)]);
}
