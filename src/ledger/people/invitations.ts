import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";
import { whoCanComeInAs } from "./people.ts";

interface NewInvitation {
  readonly digest: Uint8Array;
  readonly lastsMs: number;
}

interface FirstRun extends NewInvitation {
  /** The roles that make an admin. */
  readonly adminRoles: readonly string[];
}

/**
 * Writes down the code for the first admin. False where somebody can sign in as one already, here or elsewhere, or another process has made a
 * code that still holds: one insert decides, however many start at once.
 */
export async function addFirstRun(ledger: Ledger, { digest, lastsMs, adminRoles }: FirstRun): Promise<boolean> {
  const { database, at } = ledger;
  await database.query(
    `delete from ${at}.invitations where person is null and used_at is null and expires_at <= ${at}.clock()`,
    [],
  );
  const { count } = await database.query(
    `insert into ${at}.invitations (digest, person, expires_at)
     select $2::bytea, null, ${at}.clock() + $3::float8 * interval '1 ms'
     where not exists (select ${whoCanComeInAs(at)}) on conflict do nothing`,
    [[...adminRoles], digest, lastsMs],
  );
  return count > 0;
}

/** Those of one person that were not used. */
export async function forgetInvitations({ at }: Ledger, queries: Queries, person: string): Promise<void> {
  await queries.query(`delete from ${at}.invitations where person = $1 and used_at is null`, [person]);
}

/** Takes the place of earlier ones for the same person. */
export async function addInvitation(
  ledger: Ledger,
  queries: Queries,
  { digest, person, lastsMs }: NewInvitation & { readonly person: string },
): Promise<void> {
  const { at } = ledger;
  await forgetInvitations(ledger, queries, person);
  await queries.query(
    `insert into ${at}.invitations (digest, person, expires_at)
     values ($1, $2, ${at}.clock() + $3::float8 * interval '1 ms')`,
    [digest, person, lastsMs],
  );
}

const holds = (at: string) => `digest = $1 and used_at is null and expires_at > ${at}.clock()`;

export async function holdsInvitation({ database, at }: Ledger, digest: Uint8Array): Promise<boolean> {
  const { count } = await database.query(`select from ${at}.invitations where ${holds(at)}`, [digest]);
  return count > 0;
}

/** Uses it up, and says whom it was for: null for the first admin. Undefined where there is none, or not any more. */
export async function useInvitation(
  { at }: Ledger,
  queries: Queries,
  digest: Uint8Array,
): Promise<string | null | undefined> {
  const { rows } = await queries.query<{ person: string | null }>(
    `update ${at}.invitations set used_at = ${at}.clock()
     where ${holds(at)} returning person`,
    [digest],
  );
  return rows[0]?.person;
}
