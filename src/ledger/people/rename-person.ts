import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";

interface Renaming {
  readonly id: string;
  readonly to: string;
}

/**
 * Calls an account otherwise: sessions, tokens and ways in follow it. What the log and plans say of the old name stays as it was
 * written; `former_names` keeps who that was, so that it counts as theirs.
 */
export async function renamePerson(ledger: Ledger, queries: Queries, { id, to }: Renaming): Promise<void> {
  const { at } = ledger;
  await queries.query(`update ${at}.people set id = $2 where id = $1`, [id, to]);
  await noteFormerName(ledger, queries, { id, to });
  await queries.query(`update ${at}.exempt_starts set person = $2 where person = $1`, [id, to]);
  await queries.query(
    `update ${at}.views v set owner = $2 where owner = $1
       and not exists (select from ${at}.views o where o.owner = $2 and o.name = v.name)`,
    [id, to],
  );
  // An answer that was kept for one must not be given to whoever has the name next.
  await queries.query(`delete from ${at}.answered_requests where actor = any ($1::text[])`, [[id, to]]);
}

/** Whoever was called that until now is this person: what they did then counts as theirs. */
export async function noteFormerName({ at }: Ledger, queries: Queries, { id, to }: Renaming): Promise<void> {
  await queries.query(`insert into ${at}.former_names (name, until, person) values ($1, ${at}.clock(), $2)`, [id, to]);
}
