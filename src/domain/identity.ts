/** What an issuer of identities says of somebody who signed in there. */
export interface Identity {
  readonly issuer: string;
  /** Theirs alone at that issuer, and for good. An address or a name may be somebody else's tomorrow. */
  readonly subject: string;
  /** How they are called there; only a suggestion. */
  readonly name: string | null;
  /** What the claim for roles says. */
  readonly groups: readonly string[];
}

/** What is remembered of a sign-in while its browser is at the issuer. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Where people sign in who are known elsewhere. */
export interface IdentityIssuer {
  /** For people: its host. */
  readonly name: string;
  /** Where the browser goes, and what to remember until it comes back to `redirectUri`. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly pending: PendingSignIn }>;
  /** Who has come back, at that address. */
  finish(cameTo: URL, pending: PendingSignIn): Promise<Identity>;
}

/** How to reach an issuer of OpenID Connect. */
export interface OidcOptions {
  /** Its documents are looked for below it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Read when it is used. */
  readonly clientSecret: () => Promise<string>;
  /** The claim that names groups. */
  readonly rolesClaim: string;
}
