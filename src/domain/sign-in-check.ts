export const signInChecks = ["discovery", "keys", "clock", "client", "redirect", "claims", "sign-out"] as const;

/** One thing that sign-in by OpenID Connect needs, tried before anyone signs in. */
export interface SignInCheck {
  readonly name: (typeof signInChecks)[number];
  /** "problem": no one, or not everyone, can sign in. "unsure": it can't be told from outside. */
  readonly state: "ok" | "problem" | "unsure";
  /** What was seen, and what to change. */
  readonly sentence: string;
}

/** What is registered at the identity provider. */
export interface ProviderAddresses {
  readonly redirect: string;
  readonly afterSignOut: string;
  readonly backChannelLogout: string;
}

/** What was tried at the identity provider of the configuration. */
export interface SignInReport {
  readonly issuer: string;
  readonly addresses: ProviderAddresses;
  readonly checks: readonly SignInCheck[];
}
