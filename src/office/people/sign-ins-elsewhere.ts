import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { EndedThere, PendingSignIn, SignedInThere } from "../../domain/identity.ts";
import { networkOf } from "../../domain/network-of.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { lockNames } from "../../ledger/people/configured-people.ts";
import { addPendingSignIn, takePendingSignIn } from "../../ledger/people/pending-sign-ins.ts";
import {
  endSessionsThere,
  hasEndedSince,
  rememberEnds,
  rememberLogout,
} from "../../ledger/people/provider-sessions.ts";
import { digestOf } from "./digest.ts";

/** How long you may take at the provider. */
export const pendingMs = 600_000;
/** With the longest links, 12 MB from one address and 120 MB in all. */
const limits = { ofAddress: 1_000, ofAll: 10_000 };

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
      const stored = { ...pending, digest: keyDigest(state, key), to, address: networkOf(address), lastsMs: pendingMs };
      await addPendingSignIn(ledger, stored, limits);
      return key;
    },
    async take(state, key) {
      const found = await takePendingSignIn(ledger, keyDigest(state, key));
      if (found === null) return null;
      const { to, ...pending } = found;
      return { pending: { state, ...pending }, to };
    },
    end: ({ messageId, validUntil, endedAt, ...ended }) =>
      ledger.database.transaction(async (transaction) => {
        // A sign-in waits here too: it is over before this one, and its session ends, or after it, and it is refused.
        await lockNames(ledger, transaction);
        const digest = digestOf(`${ended.issuer}\n${messageId}`);
        if (!(await rememberLogout(ledger, transaction, { digest, validUntil }))) throw usedLogout();
        await rememberEnds(ledger, transaction, { digests: endsOf(ended), endedAt });
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

type Ended = Pick<EndedThere, "issuer" | "subject" | "sid">;

/** What an end is found by: a session; all sessions of a person; or, beside a session, those of its person that have no name. */
function endsOf({ issuer, subject, sid }: Ended): readonly Uint8Array[] {
  if (sid === null) return [endDigest(issuer, "person", subject)];
  return [endDigest(issuer, "session", sid), ...(subject === null ? [] : [endDigest(issuer, "unnamed", subject)])];
}

function endDigest(issuer: string, kind: string, name: string | null): Uint8Array {
  return digestOf(JSON.stringify(["ended", issuer, kind, name]));
}

/** Refuses someone whose session the provider said is over while they were on the way here. */
export async function requireGoesOn(
  ledger: Ledger,
  queries: Queries,
  { session: { issuer, subject, sid }, issuedAt }: Pick<SignedInThere, "session" | "issuedAt">,
): Promise<void> {
  const own = sid === null ? endDigest(issuer, "unnamed", subject) : endDigest(issuer, "session", sid);
  const digests = [endDigest(issuer, "person", subject), own];
  if (!(await hasEndedSince(ledger, queries, { digests, issuedAt }))) return;
  throw new OfficeError("SIGN_IN_REFUSED", "You signed out at the provider meanwhile. Sign in again.");
}

function usedLogout(): OfficeError {
  return new OfficeError("INVALID_REQUEST", "The logout token is refused: it was used before.");
}
