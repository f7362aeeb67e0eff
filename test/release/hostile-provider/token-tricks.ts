import type { Trick } from "./attempt.ts";
import { type Behavior, hmacJwt, jwt, keyOf, signed, unsignedJwt } from "./provider.ts";

const notAccepted = /answered in a way that DLO does not accept|signed with a key that is not among/;
const unknownKey = /signed with a key that is not among those it names|does not accept/;

const token = (name: string, idToken: Behavior["idToken"], refusal: RegExp = notAccepted): Trick => ({
  name,
  behavior: { idToken: idToken ?? signed },
  refusal,
});

const notJson = /did not answer in JSON/;

/** With what a header says beside the algorithm and a known key. */
const header = (name: string, more: object): Trick =>
  token(
    name,
    (claims, { keys }) => jwt({ alg: "RS256", kid: keys.own.kid, ...more }, claims, keys.foreign),
    unknownKey,
  );

const claims = (name: string, change: Behavior["claims"], refusal: RegExp): Trick => ({
  name,
  behavior: { claims: change ?? ((honest) => honest) },
  refusal,
});

const without =
  (claim: string): Behavior["claims"] =>
  (honest) => ({ ...honest, [claim]: undefined });

/** Tokens that no one signed, or someone else, or in another way than the provider says it does. */
export const signatureTricks: readonly Trick[] = [
  token("a token with the algorithm none", (own) => unsignedJwt({ alg: "none" }, own)),
  token("a token with the algorithm nOnE", (own) => unsignedJwt({ alg: "nOnE" }, own)),
  {
    name: "metadata that allow none alone, and a token without a signature",
    behavior: {
      metadata: (honest) => ({ ...honest, id_token_signing_alg_values_supported: ["none"] }),
      idToken: (own) => unsignedJwt({ alg: "none" }, own),
    },
    refusal: notAccepted,
  },
  token("HS256 with the public key as the secret", (own, { keys }) =>
    hmacJwt({ alg: "HS256", kid: keys.own.kid }, own, keys.own.publicPem),
  ),
  token("HS256 with the client secret", (own, { client }) => hmacJwt({ alg: "HS256" }, own, client.secret)),
  {
    name: "HS256 with a shared key among the public ones",
    behavior: {
      metadata: (honest) => ({ ...honest, id_token_signing_alg_values_supported: ["HS256"] }),
      keys: () => ({ keys: [{ kty: "oct", kid: "shared", use: "sig", alg: "HS256", k: "c2VjcmV0" }] }),
      idToken: (own) => hmacJwt({ alg: "HS256", kid: "shared" }, own, "secret"),
    },
    refusal: notAccepted,
  },
  token("a signature that was cut off", (own, situation) => signed(own, situation).replace(/[^.]+$/, "")),
  token("a token of two parts", (own, situation) => signed(own, situation).replace(/\.[^.]+$/, "")),
  token("a token of five parts", (own, situation) => `${signed(own, situation)}.a.b`),
  token("claims that were changed after signing", (own, situation) => {
    const [head, , signature] = signed(own, situation).split(".");
    const changed = Buffer.from(JSON.stringify({ ...own, sub: "sub-root" })).toString("base64url");
    return `${head}.${changed}.${signature}`;
  }),
  token(
    "another key under the id of a known one",
    (own, { keys }) => jwt({ alg: "RS256", kid: keys.own.kid }, own, keys.foreign),
    unknownKey,
  ),
  header("a key in the header (jwk)", { jwk: { kty: "RSA", n: "AQAB", e: "AQAB" } }),
  header("an address of keys in the header (jku)", { jku: "http://127.0.0.1:1/keys" }),
  header("an address of certificates in the header (x5u)", { x5u: "http://127.0.0.1:1/chain" }),
  header("certificates in the header (x5c)", { x5c: ["MIIB"] }),
  token("an extension in the header that must be understood (crit)", (own, { keys }) =>
    jwt({ alg: "RS256", kid: keys.own.kid, crit: ["exp"], exp: 1 }, own, keys.own),
  ),
  token("a payload that is not encoded (b64)", (own, { keys }) =>
    jwt({ alg: "RS256", kid: keys.own.kid, crit: ["b64"], b64: false }, own, keys.own),
  ),
  ...["../../../../etc/passwd", "' or 1=1 --", "own\u0000", "x".repeat(100_000)].map((kid) =>
    token(
      `a key id like ${JSON.stringify(kid.slice(0, 24))}`,
      (own, { keys }) => jwt({ alg: "RS256", kid }, own, keys.own),
      unknownKey,
    ),
  ),
  token("an algorithm that the key is not for", (own, { keys }) =>
    jwt({ alg: "ES256", kid: keys.own.kid }, own, keys.own),
  ),
  {
    name: "a key of 1024 bits",
    behavior: {
      keys: (_honest, { keys }) => ({ keys: [keyOf(keys.weak)] }),
      idToken: (own, { keys }) => jwt({ alg: "RS256", kid: keys.weak.kid }, own, keys.weak),
    },
    refusal: notAccepted,
  },
  {
    name: "a key that is for encryption",
    behavior: { keys: (_honest, { keys }) => ({ keys: [{ ...keyOf(keys.own), use: "enc" }] }) },
    refusal: unknownKey,
  },
  {
    name: "a key that is for another algorithm",
    behavior: { keys: (_honest, { keys }) => ({ keys: [{ ...keyOf(keys.own), alg: "RS512" }] }) },
    refusal: unknownKey,
  },
  { name: "no keys at all", behavior: { keys: () => ({ keys: [] }) }, refusal: unknownKey },
  { name: "keys that are no list", behavior: { keys: () => ({ keys: "none" }) }, refusal: notAccepted },
  {
    name: "two keys of one id, and a token that names neither",
    behavior: {
      keys: (_honest, { keys }) => ({ keys: [keyOf(keys.own), { ...keyOf(keys.foreign), kid: keys.own.kid }] }),
      idToken: (own, { keys }) => jwt({ alg: "RS256" }, own, keys.foreign),
    },
    refusal: notAccepted,
  },
  token("a token that is a number", () => 7),
  token("a token that is an object", () => ({ sub: "sub-ana" })),
  token("no token", () => undefined),
  token(
    "a token that is not JSON inside",
    (_own, { keys }) => jwt({ alg: "RS256", kid: keys.own.kid }, "{sub:", keys.own),
    notJson,
  ),
  token("a token whose claims are a list", (_own, situation) => signed("[]", situation)),
];

const elsewhere = "https://elsewhere.example";

/** Tokens of the right key that are about something else, or of another time. */
export const claimTricks: readonly Trick[] = [
  claims("another issuer", (honest) => ({ ...honest, iss: elsewhere }), /its `iss` is https:\/\/elsewhere\.example/),
  claims("the issuer with a slash more", (honest) => ({ ...honest, iss: `${String(honest.iss)}/` }), /its `iss` is/),
  claims("a list of issuers", (honest) => ({ ...honest, iss: [honest.iss, elsewhere] }), notAccepted),
  claims("no issuer", without("iss"), notAccepted),
  claims("another audience", (honest) => ({ ...honest, aud: "another" }), /its `aud` is another/),
  claims("a longer audience", (honest) => ({ ...honest, aud: "dlo-staging" }), /its `aud` is dlo-staging/),
  claims("no audience", without("aud"), notAccepted),
  claims(
    "several audiences, and another one's token (azp)",
    (honest) => ({ ...honest, aud: ["dlo", "another"], azp: "another" }),
    /its `azp` is another|does not accept/,
  ),
  claims("several audiences, and no one's token", (honest) => ({ ...honest, aud: ["dlo", "another"] }), /its `aud` is/),
  claims("another one's token with our audience", (honest) => ({ ...honest, azp: "another" }), /azp|does not accept/),
  claims("no nonce", without("nonce"), /nonce|does not accept/),
  claims("another nonce", (honest) => ({ ...honest, nonce: "another" }), /its `nonce` is another/),
  claims("a list of nonces", (honest) => ({ ...honest, nonce: [honest.nonce] }), /nonce|does not accept/),
  claims("the hash of another access token", (honest) => ({ ...honest, at_hash: "AAAAAAAAAAAAAAAAAAAAAA" }), /at_hash/),
  claims("an hour too late", (honest) => ({ ...honest, exp: Number(honest.exp) - 3_900 }), /The clocks differ/),
  claims("valid without end", without("exp"), notAccepted),
  claims("valid until a word", (honest) => ({ ...honest, exp: "never" }), notAccepted),
  claims(
    "valid until no number of a date",
    (honest) => ({ ...honest, exp: -1e300 }),
    /The clocks differ|does not accept/,
  ),
  claims(
    "issued in an hour",
    (honest) => ({ ...honest, iat: Number(honest.iat) + 3_600 }),
    /clocks differ|does not accept/,
  ),
  claims("issued never", without("iat"), notAccepted),
  claims("valid from tomorrow", (honest) => ({ ...honest, nbf: Number(honest.iat) + 86_400 }), /The clocks differ/),
  claims("no subject", without("sub"), notAccepted),
  claims("a subject without a letter", (honest) => ({ ...honest, sub: "" }), /must have 1 to 255 characters/),
  claims("a subject that is a number", (honest) => ({ ...honest, sub: 7 }), notAccepted),
  claims("a subject that is an object", (honest) => ({ ...honest, sub: { toString: "sub-root" } }), notAccepted),
  claims("a subject with a null byte", (honest) => ({ ...honest, sub: "sub-ana\u0000" }), /subject|sub/),
  claims("a subject of 500,000 letters", (honest) => ({ ...honest, sub: "s".repeat(500_000) }), /subject|sub/),
];
