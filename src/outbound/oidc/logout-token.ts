import type { JWTPayload } from "jose";
import type { CustomFetch, ServerMetadata } from "openid-client";
import { loadClient } from "../../domain/client-library.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { EndedThere } from "../../domain/identity.ts";
import { isSafeFor } from "./provider.ts";
import { isNameThere, isSubject } from "./told-ids.ts";

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
/** Only what a key pair signs: with a shared secret, DLO itself could have. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** How far two clocks may be apart, in seconds. */
const toleranceS = 60;
/** A logout is told of at once, or not at all, in seconds. */
const oldestS = 600;

type Jose = typeof import("jose");

/** Checks logout tokens of back-channel logout as the standard says: signature, issuer, audience, age, event, no nonce, and whose sessions end. */
export function logoutTokenReader(metadata: ServerMetadata, clientId: string, request: CustomFetch) {
  let known: { readonly jose: Jose; readonly keys: ReturnType<Jose["createRemoteJWKSet"]> } | null = null;
  return async (token: string): Promise<EndedThere> => {
    const jose = known?.jose ?? (await loadClient("Back-channel logout", "jose", () => import("jose")));
    known ??= { jose, keys: keysOf(jose, metadata, request) };
    const { payload, protectedHeader } = await jose
      .jwtVerify(token, known.keys, {
        ...{
          issuer: metadata.issuer,
          audience: clientId,
          algorithms,
          clockTolerance: toleranceS,
          maxTokenAge: oldestS,
        },
        requiredClaims: ["iat", "exp", "jti", "events"],
      })
      .catch((error: unknown) => {
        throw refused(error instanceof Error ? error.message : "it can't be read", error);
      });
    const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, "") ?? "jwt";
    if (type !== "logout+jwt" && type !== "jwt") throw refused(`its type is ${type}`);
    return endedBy(payload, metadata.issuer);
  };
}

function keysOf(jose: Jose, { issuer, jwks_uri: uri }: ServerMetadata, request: CustomFetch) {
  if (uri === undefined) throw refused("the provider names no keys");
  if (!isSafeFor(issuer, new URL(uri))) throw refused("the provider's keys are not at an https address");
  return jose.createRemoteJWKSet(new URL(uri), {
    [jose.customFetch]: (url, { headers, signal }) =>
      request(url, {
        method: "GET",
        headers: Object.fromEntries(headers),
        body: undefined,
        redirect: "manual",
        signal,
      }),
  });
}

function endedBy(
  payload: JWTPayload & { readonly events?: unknown; readonly sid?: unknown },
  issuer: string,
): EndedThere {
  const { events, sub, sid, jti, iat = 0 } = payload;
  const isEvent =
    typeof events === "object" && events !== null && isObject((events as Record<string, unknown>)[logoutEvent]);
  if (!isEvent) throw refused("it is not about a logout");
  if ("nonce" in payload) throw refused("it has a nonce, so it is an ID token");
  if (!isNameThere(jti)) throw refused("its `jti` can't be used");
  if (sub !== undefined && !isSubject(sub)) throw refused("its `sub` can't be used");
  if (sid !== undefined && !isNameThere(sid)) throw refused("its `sid` can't be used");
  if (sub === undefined && sid === undefined) throw refused("it names neither a person nor a session");
  return {
    issuer,
    subject: sub ?? null,
    sid: sid ?? null,
    messageId: jti,
    // By when it was made: when it ends is the provider's to say, and may be never.
    endedAt: iat * 1_000,
    validUntil: (iat + oldestS + 2 * toleranceS) * 1_000,
  };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(why: string, cause?: unknown): OfficeError {
  return new OfficeError("INVALID_REQUEST", `The logout token is refused: ${why}.`, { cause });
}
