import type { Actor } from "../../domain/actor.ts";
import { isOfficeError } from "../../domain/errors.ts";
import type { IdentityIssuer, RefreshedThere } from "../../domain/identity.ts";
import { recordAction } from "../../ledger/audit.ts";
import { endSessionsThere } from "../../ledger/people/provider-sessions.ts";
import {
  type DueCheck,
  endUnchecked,
  forgetLapsedTokens,
  handBackCheck,
  keepRefreshToken,
  noteChecked,
  takeDueChecks,
} from "../../ledger/people/session-checks.ts";
import { type Chore, chore } from "../chore.ts";
import { type IdentityParts, personBy } from "./by-identity.ts";
import { idleMs } from "./session-limits.ts";

/** How often due sessions are looked for, at most, in milliseconds. */
const lookMs = 15_000;
const atOnce = 8;

/** Seals refresh tokens: whoever reads the database must not be able to use them. */
export interface TokenSealing {
  seal(text: string, about: string): Promise<Uint8Array>;
  open(sealed: Uint8Array, about: string): Promise<string>;
}

export interface SessionCheckParts extends IdentityParts {
  readonly issuer: Pick<IdentityIssuer, "refresh" | "url">;
  readonly sealing: TokenSealing;
  /** How often a session is checked, in milliseconds. */
  readonly everyMs: number;
}

export type CheckVerdict = "goes_on" | "ends" | "as_identity";

/**
 * What a provider's answer means for the session: it goes on as it is, it ends, or its person has the roles that the identity has now.
 * Where the claim for roles is missing, nobody can tell which those are: whoever it is signs in again.
 */
function decideCheck(answer: RefreshedThere, { subject }: Pick<DueCheck, "subject">): CheckVerdict {
  if (answer.kind === "over") return "ends";
  if (answer.identity === null) return "goes_on";
  const isOther = answer.identity.subject !== subject;
  return isOther || answer.identity.missingClaim !== null ? "ends" : "as_identity";
}

/** Checks sessions at their provider, again and again. */
export function standingSessionChecks(parts: SessionCheckParts): Chore {
  return chore({
    name: "session checks",
    everyMs: Math.min(lookMs, parts.everyMs),
    clock: parts.clock,
    act: (signal) => checkSessions(parts, signal),
  });
}

/** How long a session may go without a word of its provider, at least, in milliseconds: it may be away for a while. */
const uncheckedMs = 3_600_000;

/**
 * Asks about each session whose time has come, once. A provider that is away ends none at first: it is asked again at the next time, and
 * after an hour those it said nothing of end. One that can't be checked keeps no other from it.
 */
export async function checkSessions(parts: SessionCheckParts, signal?: AbortSignal): Promise<void> {
  const { ledger, everyMs } = parts;
  await forgetLapsedTokens(ledger, { idleMs });
  try {
    await checkRound(parts, signal);
  } finally {
    await endUnchecked(ledger, Math.max(uncheckedMs, 3 * everyMs));
  }
}

async function checkRound(parts: SessionCheckParts, signal?: AbortSignal): Promise<void> {
  const { ledger, issuer, everyMs } = parts;
  const tried: string[] = [];
  const failures: unknown[] = [];
  for (;;) {
    const due = await takeDueChecks(ledger, { issuer: issuer.url, everyMs, idleMs, limit: atOnce, tried });
    tried.push(...due.map(({ digest }) => Buffer.from(digest).toString("hex")));
    const done = await Promise.allSettled(due.map((check) => checkOne(parts, check)));
    const failed = done.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    failures.push(...failed);
    const isAway = failed.length > 0 && failed.every((error) => !isOtherKey(error)) && failed.length === due.length;
    if (due.length < atOnce || isAway || signal?.aborted) break;
  }
  if (failures.length > 0) throw failures[0];
}

/** Another process sealed it, with a key of its own. */
function isOtherKey(error: unknown): boolean {
  return isOfficeError(error) && error.code === "INVALID_CONFIG";
}

async function checkOne(parts: SessionCheckParts, check: DueCheck): Promise<void> {
  const { ledger, issuer, everyMs, sealing } = parts;
  const about = aboutSession(check.digest);
  const refreshToken = await sealing.open(check.refreshToken, about).catch(async (error: unknown) => {
    if (isOtherKey(error)) await handBackCheck(ledger, check.digest);
    throw error;
  });
  const answer = await issuer.refresh(refreshToken, check.subject);
  if (answer.kind === "goes_on") await noteChecked(ledger, check.digest);
  if (answer.kind === "goes_on" && answer.refreshToken !== null)
    // The old one may be worth nothing by now, so the new one is kept first.
    await keepRefreshToken(ledger, {
      ...{ digest: check.digest, everyMs },
      refreshToken: await sealing.seal(answer.refreshToken, about),
    });
  const verdict = decideCheck(answer, check);
  if (verdict === "ends") return end(parts, check, answer.kind === "over" ? answer.why : "no claim for roles");
  if (verdict === "goes_on" || answer.kind === "over" || answer.identity === null) return;
  const person = await personBy(parts, answer.identity).catch((error: unknown) => {
    // Refused as at a sign-in: what ends by that has ended.
    if (isOfficeError(error) && error.code === "SIGN_IN_REFUSED") return null;
    throw error;
  });
  if (person !== check.person) await end(parts, check, "refused");
}

function end({ ledger, clock }: SessionCheckParts, { issuer, subject, sid }: DueCheck, why: string): Promise<void> {
  return ledger.database.transaction(async (transaction) => {
    for (const id of await endSessionsThere(ledger, transaction, { issuer, subject, sid })) {
      const actor: Actor = { id, kind: "human", roles: [] };
      const details = { issuer, by: "check", why };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "session.ended", details });
    }
  });
}

/** What a refresh token is sealed for. */
export function aboutSession(digest: Uint8Array): string {
  return `session ${Buffer.from(digest).toString("hex")}`;
}
