import type { Identity } from "../../domain/identity.ts";

export type Claims = Readonly<Record<string, unknown>>;

/**
 * A claim by its name, or by a path into it such as `realm_access.roles`. Names may hold dots themselves (`https://example.com/groups`), so the
 * longest one that is there counts. Undefined where there is none.
 */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path] ?? undefined;
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const inner = Object.hasOwn(claims, path.slice(0, dot)) ? claims[path.slice(0, dot)] : undefined;
    if (isClaims(inner)) return claimAt(inner, path.slice(dot + 1));
  }
  return undefined;
}

function isClaims(value: unknown): value is Claims {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a provider said of someone, in the token that it signed and at its userinfo endpoint. */
export interface ToldClaims {
  readonly idToken: Claims;
  /** @default nothing: it wasn't asked */
  readonly userinfo?: Claims;
}

/** The signed token's word comes first, claim by claim: half of it there does not hide the other half. */
function toldAt({ idToken, userinfo = {} }: ToldClaims, path: string): unknown {
  return claimAt(idToken, path) ?? claimAt(userinfo, path);
}

export interface ClaimNames {
  readonly rolesClaim: string;
  readonly nameClaim: string;
}

/** Whether anything that is looked for is missing, so that the userinfo endpoint is worth a question. */
export function lacksClaims(claims: Claims, { rolesClaim, nameClaim }: ClaimNames): boolean {
  return claimAt(claims, rolesClaim) === undefined || claimAt(claims, nameClaim) === undefined;
}

export function identityOf(told: ToldClaims, { rolesClaim, nameClaim }: ClaimNames): Identity {
  const { iss, sub } = told.idToken;
  const name = toldAt(told, nameClaim);
  const given = toldAt(told, rolesClaim);
  const groups = Array.isArray(given) ? given : [given];
  return {
    issuer: String(iss),
    subject: String(sub),
    name: typeof name === "string" ? name : null,
    groups: groups.filter((group) => typeof group === "string"),
    missingClaim: given === undefined ? whyMissing({ ...told.userinfo, ...told.idToken }, rolesClaim) : null,
  };
}

/** Names alone: their values are about a person. */
function whyMissing(claims: Claims, rolesClaim: string): string {
  const { _claim_names: elsewhere } = claims;
  if (isClaims(elsewhere) && Object.hasOwn(elsewhere, rolesClaim))
    return `You are in more groups than the provider names in a token. Let it send only the groups that are assigned to DLO.`;
  const names = Object.keys(claims).filter((name) => !ofTheProtocol.has(name) && claims[name] !== null);
  const there = names.length === 0 ? "no claim of its own" : names.slice(0, 20).join(", ");
  return `The provider sent no claim \`${rolesClaim}\`; it sent ${there}. Add that claim there, or change \`signIn.oidc.rolesClaim\` or \`signIn.oidc.scopes\`.`;
}

const ofTheProtocol: ReadonlySet<string> = new Set(
  ["iss", "sub", "aud", "exp", "iat", "nbf", "jti", "nonce", "at_hash", "c_hash", "s_hash", "azp", "acr", "amr"].concat(
    ["auth_time", "sid", "typ"],
  ),
);
