import { createHash } from "node:crypto";
import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { requireOption } from "../../domain/options.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { addTerminalSession } from "../../ledger/people/sessions.ts";
import { addTerminalCode, takeTerminalCode } from "../../ledger/people/terminal-codes.ts";
import { digestOf } from "./digest.ts";

const codeMs = 60_000;

export interface TerminalParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly newSecret: () => string;
}

/** A code for the terminal that made this challenge; the browser of somebody signed in, whose session it is, brings it there. */
export async function allowTerminal(
  { ledger, newSecret }: TerminalParts,
  sessionId: string,
  challenge: string,
): Promise<string> {
  requireOption(/^[\w-]{43}$/.test(challenge), "challenge", "the SHA-256 of a verifier, in base64url", challenge);
  const code = newSecret();
  const held = { digest: digestOf(code), challenge, session: digestOf(sessionId), lastsMs: codeMs };
  if (await addTerminalCode(ledger, held)) return code;
  throw new OfficeError(
    "NOT_ALLOWED",
    "Only a browser that is signed in can let a terminal in, not another terminal.",
    {
      details: { hint: "Run dlo login, and allow it in your browser." },
    },
  );
}

/** A session of its own, no longer than the browser's, for a terminal that has the code and what the challenge was made of. */
export async function redeemTerminal(
  { ledger, clock, newSecret }: TerminalParts,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<string> {
  const found = await takeTerminalCode(ledger, digestOf(code));
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  if (found === null || found.challenge !== challenge) throw staleCode();
  const id = newSecret();
  const person = await addTerminalSession(ledger, { digest: digestOf(id), parent: found.session });
  if (person === null) throw staleCode();
  const actor: Actor = { id: person, kind: "human", roles: [] };
  const details = { by: "terminal" };
  await recordAction(ledger, ledger.database, { at: clock.now(), actor, action: "session.begun", details });
  return id;
}

function staleCode(): OfficeError {
  return new OfficeError(
    "SIGN_IN_REFUSED",
    "This code is not valid: it was used, its minute is over, or the browser signed out.",
    { details: { hint: "Start again: dlo login." } },
  );
}
