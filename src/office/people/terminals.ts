import { createHash } from "node:crypto";
import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { requireOption } from "../../domain/options.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { addSession, type ProviderNames } from "../../ledger/people/sessions.ts";
import { addTerminalCode, takeTerminalCode } from "../../ledger/people/terminal-codes.ts";
import { digestOf } from "./digest.ts";

const codeMs = 60_000;

/** Whose session it is. */
export interface KnownSession {
  readonly actor: Actor;
  readonly expiresAt: string;
  /** By which the identity provider knows it; null where it came from none. */
  readonly provider: ProviderNames | null;
}

export interface TerminalParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly newSecret: () => string;
}

/** A code for the terminal that made this challenge; the browser of somebody signed in brings it there. */
export async function allowTerminal(
  { ledger, newSecret }: TerminalParts,
  { actor, expiresAt, provider }: KnownSession,
  challenge: string,
): Promise<string> {
  requireOption(/^[\w-]{43}$/.test(challenge), "challenge", "the SHA-256 of a verifier, in base64url", challenge);
  const code = newSecret();
  const held = { person: actor.id, challenge, lastsMs: codeMs, sessionUntil: expiresAt, provider };
  await addTerminalCode(ledger, { digest: digestOf(code), ...held });
  return code;
}

/** A session of its own, until the browser's ends, for a terminal that has the code and what the challenge was made of. */
export async function redeemTerminal(
  { ledger, clock, newSecret }: TerminalParts,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<string> {
  const found = await takeTerminalCode(ledger, digestOf(code));
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  if (found === null || found.challenge !== challenge)
    throw new OfficeError("SIGN_IN_REFUSED", "This code is not valid: it was used, or its minute is over.", {
      details: { hint: "Start again: dlo login." },
    });
  const id = newSecret();
  const { person, sessionUntil: until, provider } = found;
  await addSession(ledger, { digest: digestOf(id), person, lasts: { until }, provider });
  const actor: Actor = { id: found.person, kind: "human", roles: [] };
  const details = { by: "terminal" };
  await recordAction(ledger, ledger.database, { at: clock.now(), actor, action: "session.begun", details });
  return id;
}
