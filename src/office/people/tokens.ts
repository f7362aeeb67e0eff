import { timingSafeEqual } from "node:crypto";
import type { Actor } from "../../domain/actor.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { NamedRole } from "../../ledger/people/roles.ts";
import { findToken, noteTokenUse } from "../../ledger/people/tokens.ts";
import { digestOf } from "./digest.ts";
import { standingOf } from "./standing.ts";
import { suspendsAt, tokenSuspended } from "./suspensions.ts";

const idLength = 12;

/** A token's two halves: what it is found by, and what only its owner has. */
export function makeToken(newSecret: () => string): { readonly id: string; readonly token: string } {
  const id = Buffer.from(newSecret(), "base64url").toString("hex").slice(0, idLength);
  return { id, token: `dlo_${id}_${newSecret()}` };
}

export interface TokenRules {
  /** Roles of the configuration. */
  readonly configured: readonly NamedRole[];
  /** How long after its owner signed in last a token is suspended, in milliseconds; null for never. */
  readonly suspendAfterMs: () => Promise<number | null>;
}

/** Who a token speaks for, with the rights its owner has now, cut to its own; null where it does not hold. */
export async function actorOfToken(
  ledger: Ledger,
  token: string,
  { configured, suspendAfterMs }: TokenRules,
): Promise<Actor | null> {
  const [, id] = /^dlo_([\da-f]{12})_[\w-]{43}$/.exec(token) ?? [];
  const found = id === undefined ? null : await findToken(ledger, id);
  if (id === undefined || found === null || !timingSafeEqual(digestOf(token), found.digest)) return null;
  const afterMs = await suspendAfterMs();
  const ends = suspendsAt(found.unseenSince, afterMs);
  if (afterMs !== null && ends !== null && ends <= found.now)
    throw tokenSuspended({ id, owner: found.person }, afterMs);
  await noteTokenUse(ledger, id);
  const { person, kind, roles: names, ownRoles, operations, queues } = found;
  return { id: person, ...standingOf({ kind, names, ownRoles }, configured), token: { id, operations, queues } };
}
