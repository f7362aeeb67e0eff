import { expect, it } from "vitest";
import type { Claims } from "./claims.ts";
import { checkIdToken } from "./id-token.ts";

const now = Date.UTC(2026, 10, 20);
const header = (alg: string, typ?: string) => `${Buffer.from(JSON.stringify({ alg, typ })).toString("base64url")}.e30.`;

/** The access token and its hash are the example of OpenID Connect Core, A.3. */
const context = {
  host: "id.example",
  clientId: "dlo",
  idToken: header("RS256"),
  accessToken: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y",
  now,
};
const sound: Claims = { sub: "sub-ana", iat: now / 1_000 };
const check =
  (more: Claims, alg = "RS256") =>
  () =>
    checkIdToken({ ...sound, ...more }, { ...context, idToken: header(alg) });

it.each([
  ["has neither of the claims that may be left out", {}],
  ["names this client", { azp: "dlo" }],
  ["was issued by a clock that is a minute ahead", { iat: now / 1_000 + 60 }],
  ["has the hash of its access token", { at_hash: "77QmUPtjPfzWtF2AnpK9RQ" }],
  ["has the longest subject", { sub: "s".repeat(255) }],
])("accepts a token that %s", (_, more) => {
  expect(check(more)).not.toThrow();
});

it.each([
  ["names another client", { azp: "another" }, "`azp` is not dlo"],
  ["names clients in a list", { azp: ["dlo"] }, "`azp` is not dlo"],
  ["was issued later than now", { iat: now / 1_000 + 61 }, "2026-11-20T00:01:01.000Z"],
  ["was issued after the end of time", { iat: 1e300 }, "an impossible time"],
  ["is about no one", { sub: "" }, "1 to 255 characters"],
  ["is about a subject that is too long", { sub: "s".repeat(256) }, "1 to 255 characters"],
  ["is about a subject with NUL", { sub: "ana\u0000" }, "no control characters"],
  ["has the hash of another access token", { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" }, "does not belong"],
  ["has a hash that is no text", { at_hash: 7 }, "does not belong"],
])("refuses a token that %s", (_, more, words) => {
  expect(check(more)).toThrow(words);
});

it.each(["at+jwt", "logout+jwt"])("refuses a token of the type %s", (typ) => {
  expect(() => checkIdToken(sound, { ...context, idToken: header("RS256", typ) })).toThrow("`typ` is not JWT");
  expect(() => checkIdToken(sound, { ...context, idToken: header("RS256", "JWT") })).not.toThrow();
});

it.each([["s".repeat(513)], ["s\u0000"], [""], [7]])("refuses a session id that no index holds", (sid) => {
  expect(check({ sid })).toThrow("1 to 512 characters and no control characters");
});

it("hashes as the token's own algorithm does", () => {
  expect(check({ at_hash: "77QmUPtjPfzWtF2AnpK9RQ" }, "ES256")).not.toThrow();
  expect(check({ at_hash: "77QmUPtjPfzWtF2AnpK9RQ" }, "RS512")).toThrow("does not belong");
});
