import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";
import type { IdentityName } from "./identities.ts";

/** Somebody whom the configuration names (`people:`): an id that is theirs alone, and who they are at an issuer. */
export interface ConfiguredPerson extends IdentityName {
  readonly id: string;
  /** Names of roles. */
  readonly roles: readonly string[];
}

/**
 * Every transaction that gives somebody a name, changes to whom the configuration gives one, or changes who is an admin, waits here for
 * the others: two at once would each find a name free, or another admin left. Taken before any row, so that no two wait for each other.
 */
export async function lockNames({ at }: Ledger, queries: Queries): Promise<void> {
  await queries.query(`lock table ${at}.configured_people in share row exclusive mode`, []);
}

/** As they were applied last, by id. */
export async function listConfiguredPeople({ at }: Ledger, queries: Queries): Promise<readonly ConfiguredPerson[]> {
  const { rows } = await queries.query<ConfiguredPerson>(
    `select id, issuer, subject, roles from ${at}.configured_people order by id`,
    [],
  );
  return rows;
}

/** In place of those there were. */
export async function replaceConfiguredPeople(
  { at }: Ledger,
  queries: Queries,
  people: readonly ConfiguredPerson[],
): Promise<void> {
  await queries.query(`delete from ${at}.configured_people`, []);
  for (const { id, issuer, subject, roles } of people)
    await queries.query(`insert into ${at}.configured_people (id, issuer, subject, roles) values ($1, $2, $3, $4)`, [
      id,
      issuer,
      subject,
      [...roles],
    ]);
}
