import type { Clock } from "../../domain/clock.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { findUnseen, takeComingSuspensions } from "../../ledger/people/suspensions.ts";
import { type Chore, chore } from "../chore.ts";
import { officeItself } from "../intake/own-drain.ts";
import { policyReader } from "../policy/policy-in-force.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A week before, or half of the time where that is shorter than two weeks. */
const mostAheadMs = 7 * dayMs;

export interface SuspensionParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** Tells of tokens that will be suspended, once for each time that their owner stays away. */
export function standingSuspensions(parts: SuspensionParts): Chore {
  const act = () => saySuspensions(parts);
  return chore({ name: "token suspension", everyMs: hourMs, clock: parts.clock, act });
}

/** By the policy in force, in milliseconds; null for never. Not to be asked within a transaction, which may have the one connection. */
export async function suspendAfterMs(ledger: Ledger): Promise<number | null> {
  return (await policyReader(ledger)()).suspendTokensAfterMs;
}

export async function saySuspensions({ ledger, clock }: SuspensionParts): Promise<void> {
  const afterMs = await suspendAfterMs(ledger);
  if (afterMs === null) return;
  const aheadMs = Math.min(mostAheadMs, afterMs / 2);
  for (const { owner, tokens, suspendsAt } of await takeComingSuspensions(ledger, { afterMs, aheadMs })) {
    const details = { owner, tokens, suspendsAt: suspendsAt.toISOString() };
    const entry = { at: clock.now(), actor: officeItself, action: "tokens.suspending", details };
    await recordAction(ledger, ledger.database, entry);
  }
}

/** When a token is suspended, unless its owner signs in before; null for never. */
export function suspendsAt(unseenSince: Date | null, afterMs: number | null): Date | null {
  return unseenSince === null || afterMs === null ? null : new Date(unseenSince.getTime() + afterMs);
}

export function tokenSuspended(
  { id, owner }: { readonly id: string; readonly owner: string },
  afterMs: number,
): OfficeError {
  const days = Math.round(afterMs / dayMs);
  return new OfficeError(
    "TOKEN_SUSPENDED",
    `Token ${id} is suspended: no one has signed in as ${owner} for ${days} days. Sign in as ${owner} once, and it works again.`,
    { details: { token: id, hint: "The policy sets the time: `tokens.suspendAfter`." } },
  );
}

/**
 * Refuses who comes by another way than the one that gives the roles, when that was not used for too long: a directory that someone left
 * says nothing of them any more, and their roles must not live on by a password.
 */
export async function requireSeenLately(
  ledger: Ledger,
  queries: Queries,
  { person, afterMs }: { readonly person: string; readonly afterMs: number | null },
): Promise<void> {
  const found = await findUnseen(ledger, queries, person);
  const ends = suspendsAt(found?.unseenSince ?? null, afterMs);
  if (afterMs === null || found === null || ends === null || ends > found.now) return;
  const days = Math.round(afterMs / dayMs);
  throw new OfficeError(
    "SIGN_IN_REFUSED",
    `The roles of ${person} come from an identity provider, where ${person} has not signed in for ${days} days. Sign in there once.`,
  );
}
