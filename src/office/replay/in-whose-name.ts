import type { Actor } from "../../domain/actor.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { NamedRole } from "../../ledger/people/roles.ts";
import { readReplay } from "../../ledger/read-replay.ts";
import { knownActor } from "../people/known-actor.ts";
import { autoActor } from "./auto-replay.ts";

/**
 * Whoever started a replay, with the roles they have by now: letters are judged again for that person, whichever process
 * sends them.
 */
export async function inWhoseName(
  ledger: Ledger,
  replay: Uint8Array,
  configured: readonly NamedRole[],
): Promise<Actor> {
  const { startedBy, requestedBy, autoPlace } = await readReplay(ledger, ledger.database, { id: replay });
  if (autoPlace !== null) return autoActor;
  const id = startedBy ?? requestedBy;
  return (await knownActor(ledger, ledger.database, { id, configured })) ?? { id, kind: "human", roles: ["admin"] };
}
