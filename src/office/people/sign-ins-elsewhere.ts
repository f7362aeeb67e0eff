import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { EndedThere, PendingSignIn } from "../../domain/identity.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { addPendingSignIn, takePendingSignIn } from "../../ledger/people/pending-sign-ins.ts";
import { endSessionsThere, rememberLogout } from "../../ledger/people/provider-sessions.ts";
import { digestOf } from "./digest.ts";

/** How long you may take at the provider. */
export const pendingMs = 600_000;
/** Under way from one address: enough for an office behind one proxy, not for filling the database. */
const mostFromAddress = 300;

/** A sign-in that began, and the page that it is to lead to. */
export interface BegunSignIn {
  readonly pending: PendingSignIn;
  readonly to: string;
  /** Where the browser is. */
  readonly address: string;
}

/** What DLO remembers of people who are at an identity provider, and what it hears of them from there. */
export interface SignInsElsewhere {
  /** Keeps a sign-in that began; gives the key to it, which its browser alone gets. */
  keep(begun: BegunSignIn): Promise<string>;
  /** Once, for who has both; null where there is none, or it took too long. */
  take(state: string, key: string): Promise<Omit<BegunSignIn, "address"> | null>;
  /** Ends what the provider says is over. */
  end(ended: EndedThere): Promise<void>;
}

export interface ElsewhereParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly newSecret: () => string;
}

export function signInsElsewhere({ ledger, clock, newSecret }: ElsewhereParts): SignInsElsewhere {
  return {
    async keep({ pending: { state, ...pending }, to, address }) {
      const key = newSecret();
      const stored = { ...pending, digest: keyDigest(state, key), to, address, lastsMs: pendingMs };
      if (!(await addPendingSignIn(ledger, stored, mostFromAddress))) throw tooMany();
      return key;
    },
    async take(state, key) {
      const found = await takePendingSignIn(ledger, keyDigest(state, key));
      if (found === null) return null;
      const { to, ...pending } = found;
      return { pending: { state, ...pending }, to };
    },
    end: ({ messageId, validUntil, ...ended }) =>
      ledger.database.transaction(async (transaction) => {
        const digest = digestOf(`${ended.issuer}\n${messageId}`);
        if (!(await rememberLogout(ledger, transaction, { digest, validUntil }))) throw usedLogout();
        for (const id of await endSessionsThere(ledger, transaction, ended)) {
          const actor: Actor = { id, kind: "human", roles: [] };
          const details = { issuer: ended.issuer, by: "provider" };
          await recordAction(ledger, transaction, { at: clock.now(), actor, action: "session.ended", details });
        }
      }),
  };
}

/** Neither the one who reads an address nor the one who has a cookie has it. */
function keyDigest(state: string, key: string): Uint8Array {
  return digestOf(`${state}\n${key}`);
}

function tooMany(): OfficeError {
  const minutes = pendingMs / 60_000;
  return new OfficeError(
    "TOO_MANY_TRIES",
    `More than ${mostFromAddress} sign-ins from your address were begun and not finished. Try again in ${minutes} minutes.`,
    { details: { retryAfterS: pendingMs / 1_000 } },
  );
}

function usedLogout(): OfficeError {
  return new OfficeError("INVALID_REQUEST", "The logout token is refused: it was used before.");
}
