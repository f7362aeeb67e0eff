import type { Identity, SignedInThere } from "../../src/domain/identity.ts";

/** Someone whom a provider has named, as its client hands them on. */
export function signedInThere(identity: Omit<Identity, "missingClaim">): SignedInThere {
  const { issuer, subject } = identity;
  return {
    identity: { ...identity, missingClaim: null },
    session: { issuer, subject, sid: null, idToken: null },
    issuedAt: Date.now(),
    refreshToken: null,
  };
}
