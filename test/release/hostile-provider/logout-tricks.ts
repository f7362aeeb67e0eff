import { hmacJwt, jwt, type Situation, signed, unsignedJwt } from "./provider.ts";

const event = "http://schemas.openid.net/event/backchannel-logout";

/** A logout token that ends nothing. */
export interface LogoutTrick {
  /** As the README lists it. */
  readonly name: string;
  readonly token: (honest: Readonly<Record<string, unknown>>, situation: Situation) => string;
}

/** What an honest provider sends when someone signed out there. */
export function honestLogout({ issuer, client, now }: Situation) {
  const jti = `logout-${now}-${Math.random()}`;
  return { iss: issuer, aud: client.id, iat: now, exp: now + 120, jti, sub: "sub-ana", events: { [event]: {} } };
}

const changed = (name: string, change: (honest: Readonly<Record<string, unknown>>) => object): LogoutTrick => ({
  name,
  token: (honest, situation) => signed({ ...honest, ...change(honest) }, situation),
});

export const logoutTricks: readonly LogoutTrick[] = [
  { name: "a logout that no one signed", token: (honest) => unsignedJwt({ alg: "none" }, honest) },
  {
    name: "a logout signed with the client secret",
    token: (honest, { client }) => hmacJwt({ alg: "HS256" }, honest, client.secret),
  },
  {
    name: "a logout signed with the public key as the secret",
    token: (honest, { keys }) => hmacJwt({ alg: "HS256", kid: keys.own.kid }, honest, keys.own.publicPem),
  },
  {
    name: "a logout signed by someone else",
    token: (honest, { keys }) => jwt({ alg: "RS256", kid: keys.own.kid }, honest, keys.foreign),
  },
  {
    name: "a logout of another type",
    token: (honest, { keys }) => jwt({ alg: "RS256", kid: keys.own.kid, typ: "at+jwt" }, honest, keys.own),
  },
  changed("a logout of another issuer", () => ({ iss: "https://elsewhere.example" })),
  changed("a logout for another client", () => ({ aud: "another" })),
  changed("a logout with a nonce, as an ID token has", () => ({ nonce: "n" })),
  changed("a logout about nothing", () => ({ events: undefined })),
  changed("a logout about something else", () => ({ events: { "https://elsewhere.example/event": {} } })),
  changed("a logout about a list", () => ({ events: [event] })),
  changed("a logout of no one", () => ({ sub: undefined })),
  changed("a logout of a subject that is a list", () => ({ sub: ["sub-ana"] })),
  changed("a logout of a subject with a null byte", () => ({ sub: "sub-ana\u0000" })),
  changed("a logout without an id", () => ({ jti: undefined })),
  changed("a logout with an id of 10,000 letters", () => ({ jti: "j".repeat(10_000) })),
  changed("a logout of an hour ago", ({ iat, exp }) => ({ iat: Number(iat) - 3_600, exp: Number(exp) - 3_600 })),
  changed("a logout of tomorrow", ({ iat, exp }) => ({ iat: Number(iat) + 86_400, exp: Number(exp) + 86_400 })),
  changed("a logout that never ends", () => ({ exp: undefined })),
  changed("a logout of another person", () => ({ sub: "sub-ben" })),
  {
    name: "an ID token in place of a logout",
    token: (honest, situation) => signed({ ...honest, events: undefined, nonce: "n" }, situation),
  },
  { name: "a logout that is no token", token: () => "not a token" },
  { name: "a logout of a megabyte", token: () => "a".repeat(1_000_000) },
];
