import type { Actor } from "../../domain/actor.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listPeople } from "../../ledger/people/people.ts";
import { listRoles, type NamedRole } from "../../ledger/people/roles.ts";
import { readReplay } from "../../ledger/read-replay.ts";
import { standingOf } from "../people/standing.ts";

/**
 * Whoever started a replay, with the roles they have by now: letters are judged again for that person, whichever process
 * sends them. Somebody the office does not know came from a terminal, where people may do anything.
 */
export async function inWhoseName(
  ledger: Ledger,
  replay: Uint8Array,
  configured: readonly NamedRole[],
): Promise<Actor> {
  const { startedBy, requestedBy } = await readReplay(ledger, ledger.database, { id: replay });
  const id = startedBy ?? requestedBy;
  const person = (await listPeople(ledger)).find((each) => each.id === id);
  if (person === undefined) return { id, kind: "human", roles: ["admin"] };
  const names = person.disabledAt === null ? person.roles : [];
  return { id, ...standingOf({ kind: person.kind, names, ownRoles: await listRoles(ledger) }, configured) };
}
