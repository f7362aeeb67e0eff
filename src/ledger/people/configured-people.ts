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
 * Whoever gives somebody a name, or changes to whom the configuration gives one, waits here for the others: two who come at once
 * must not each find a name free. Until the transaction ends.
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
