import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { findPerson } from "../../ledger/people/people.ts";
import { listRoles, type NamedRole } from "../../ledger/people/roles.ts";
import { standingOf } from "./standing.ts";

/**
 * Somebody as they stand by now: whoever was shut out has no role left. Null for somebody the office does not know, who came
 * from a terminal, where people may do anything.
 */
export async function knownActor(
  ledger: Ledger,
  queries: Queries,
  { id, configured }: { readonly id: string; readonly configured: readonly NamedRole[] },
): Promise<Actor | null> {
  const person = await findPerson(ledger, queries, id);
  if (person === null) return null;
  const names = person.disabledAt === null ? person.roles : [];
  return { id, ...standingOf({ kind: person.kind, names, ownRoles: await listRoles(ledger, queries) }, configured) };
}
