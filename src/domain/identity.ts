/** What an identity provider says of someone who signed in there. */
export interface Identity {
  readonly issuer: string;
  /** Theirs alone at that issuer, and for good. An address or a name may be another person's tomorrow. */
  readonly subject: string;
  /** How they are called there; only a suggestion. */
  readonly name: string | null;
  /** What the claim for roles says. */
  readonly groups: readonly string[];
  /** Why there is no claim for roles at all, which is another mistake than one that is empty; null where there is one. */
  readonly missingClaim: string | null;
}

/** By which a session here and the one at the provider know each other. */
export interface ProviderSession {
  readonly issuer: string;
  readonly subject: string;
  /** Its id at the provider; null where the provider names none. */
  readonly sid: string | null;
  /** The ID token, as the provider wants it back at sign-out; null where it is too long to be sent in an address. */
  readonly idToken: string | null;
}

/** Someone who came back from the provider. */
export interface SignedInThere {
  readonly identity: Identity;
  readonly session: ProviderSession;
  /** When the provider said so, by its clock, in milliseconds. */
  readonly issuedAt: number;
  /** With which the provider can be asked later whether the session goes on; null where it gave none. */
  readonly refreshToken: string | null;
}

/** What a provider says of a session that it was asked about later. */
export type RefreshedThere =
  | { readonly kind: "over"; readonly why: string }
  | {
      readonly kind: "goes_on";
      /** What it says of its person now; null where it says nothing of them. */
      readonly identity: Identity | null;
      /** In place of the one that was used; null where that one is still good. */
      readonly refreshToken: string | null;
    };

/** What is remembered of a sign-in while its browser is at the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** What the provider was asked to show; null for whatever it shows. */
  readonly prompt: SignInPrompt | null;
}

/** Asks the provider for another account than the one it remembers. */
export type SignInPrompt = "select_account" | "login";

/** Whose sessions a provider says are over. */
export interface EndedThere {
  readonly issuer: string;
  /** Null where only the session is named. */
  readonly subject: string | null;
  /** Null where all of them are over. */
  readonly sid: string | null;
  /** The message's own id, which is used once. */
  readonly messageId: string;
  /** When, by the provider's clock, in milliseconds. */
  readonly endedAt: number;
  /** Until when the message could be sent again, in milliseconds. */
  readonly validUntil: number;
}

/** Where people sign in who are known elsewhere. */
export interface IdentityIssuer {
  /** For people: its host. */
  readonly name: string;
  /** Where the browser goes, and what to remember until it comes back to `redirectUri`. */
  begin(
    redirectUri: string,
    prompt: SignInPrompt | null,
  ): Promise<{ readonly url: string; readonly pending: PendingSignIn }>;
  /** Who has come back, at that address. */
  finish(cameTo: URL, pending: PendingSignIn): Promise<SignedInThere>;
  /** As it calls itself in what it signs. */
  readonly url: string;
  /** Whether a session of that subject goes on there. */
  refresh(refreshToken: string, subject: string): Promise<RefreshedThere>;
  /** Where the browser goes to sign out at the provider too; null where the provider has no such page. */
  signOutUrl(session: ProviderSession, returnTo: string): Promise<string | null>;
  /** Whose sessions a logout token ends. Refuses one that the provider didn't sign for this purpose. */
  readLogoutToken(token: string): Promise<EndedThere>;
}

export const clientAuthMethods = ["client_secret_basic", "client_secret_post", "private_key_jwt"] as const;
/** How DLO proves to the provider that it is DLO. */
export type ClientAuthMethod = (typeof clientAuthMethods)[number];

export const signOutReaches = ["here", "provider", "return"] as const;
/** What signing out here does: end this session alone, go to the provider's page for it too, or come back from there as well. */
export type SignOutReach = (typeof signOutReaches)[number];

/** How to reach a provider of OpenID Connect. */
export interface OidcOptions {
  /** Its documents are looked for below it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Read at each use, so that a changed secret needs no restart; null where there is a key. */
  readonly clientSecret: (() => Promise<string>) | null;
  /** A private key in PEM, read at each use; null where there is a secret. */
  readonly privateKey: (() => Promise<string>) | null;
  /** By which the provider finds the public half. */
  readonly keyId: string | null;
  /** Null for what the provider's metadata says. */
  readonly clientAuth: ClientAuthMethod | null;
  /** Null for `openid profile`, with `groups` where the provider names it. */
  readonly scopes: readonly string[] | null;
  /** The claim that names groups: a name, or a path such as `realm_access.roles`. */
  readonly rolesClaim: string;
  /** The claim that a new person is named after. */
  readonly nameClaim: string;
  /** More certificates that the provider may be signed by, in PEM; null for those of Node alone. */
  readonly ca: (() => Promise<string>) | null;
  readonly signOut: SignOutReach;
}
