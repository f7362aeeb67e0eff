import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";
import { forgetInvitations } from "./invitations.ts";
import { endSessionsOf } from "./sessions.ts";
import { revokeTokensOf } from "./tokens.ts";

/** Ends what somebody could still come in by: sessions, tokens, an invitation, and a code that a terminal has not traded yet. */
export async function endAccess(ledger: Ledger, queries: Queries, person: string): Promise<void> {
  await endSignIns(ledger, queries, person);
  await revokeTokensOf(ledger, queries, person);
}

/** The same, and tokens are left. */
export async function endSignIns(ledger: Ledger, queries: Queries, person: string): Promise<void> {
  await endSessionsOf(ledger, queries, person);
  await forgetInvitations(ledger, queries, person);
  await queries.query(`delete from ${ledger.at}.terminal_codes where person = $1`, [person]);
}
