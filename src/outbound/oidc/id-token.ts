import { createHash } from "node:crypto";
import { OfficeError } from "../../domain/errors.ts";
import type { Claims } from "./claims.ts";
import { isNameThere, isSubject, longestName, longestSubject } from "./told-ids.ts";

/** How far two clocks may be apart, in milliseconds. */
const toleranceMs = 60_000;

/** What an ID token came with. */
export interface TokenContext {
  /** The provider's host, for people. */
  readonly host: string;
  readonly clientId: string;
  readonly idToken: string;
  readonly accessToken: string;
  readonly now: number;
}

/**
 * What the library leaves to its users, of a token whose signature, issuer, audience and nonce it has checked: for whom it was made, when,
 * about whom, and that the access token came with it.
 */
export function checkIdToken({ azp, iat, sub, sid, at_hash: hash }: Claims, context: TokenContext): void {
  const { host, clientId, now } = context;
  const { typ: type } = headerOf(context);
  if (type !== undefined && (typeof type !== "string" || type.toLowerCase() !== "jwt"))
    throw refused(
      `${host} sent a token of another kind in place of an ID token (\`typ\` is not JWT). Tell its administrator.`,
    );
  if (azp !== undefined && azp !== clientId)
    throw refused(`${host} signed for another client: its \`azp\` is not ${clientId}. Check \`signIn.oidc.clientId\`.`);
  if (typeof iat === "number" && iat * 1_000 > now + toleranceMs)
    throw refused(
      `The clocks differ: what ${host} signed was issued at ${timeText(iat * 1_000)}, and this server's clock says ${timeText(now)}. Set both by NTP.`,
    );
  if (!isSubject(sub))
    throw refused(
      `${host} says who you are by a \`sub\` that can't be used: it must have 1 to ${longestSubject} characters and no control characters. Tell its administrator.`,
    );
  if (sid !== undefined && !isNameThere(sid))
    throw refused(
      `${host} names your session by a \`sid\` that can't be used: it must have 1 to ${longestName} characters and no control characters. Tell its administrator.`,
    );
  if (hash !== undefined && hash !== accessTokenHash(context))
    throw refused(
      `${host} sent an access token that does not belong to its ID token (\`at_hash\`). Sign in again; if it repeats, tell its administrator.`,
    );
}

/** The left half of the hash that the token's own algorithm uses. */
function accessTokenHash(context: TokenContext): string {
  const { accessToken } = context;
  const bits = /(256|384|512)$/.exec(String(headerOf(context).alg))?.[1] ?? "512";
  const digest = createHash(`sha${bits}`).update(accessToken).digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

function headerOf({ idToken }: TokenContext): { readonly alg?: unknown; readonly typ?: unknown } {
  return JSON.parse(Buffer.from(idToken.split(".")[0] ?? "", "base64url").toString()) as { alg?: unknown };
}

function timeText(ms: number): string {
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : "an impossible time";
}

function refused(sentence: string): OfficeError {
  return new OfficeError("SIGN_IN_REFUSED", sentence);
}
