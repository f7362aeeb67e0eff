import type { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from "openid-client";
import { isOfficeError, OfficeError } from "../../domain/errors.ts";
import { OutboundRefused } from "../outbound-refused.ts";

/** What was being asked when it failed. */
export interface Asked {
  /** The issuer as the configuration has it. */
  readonly issuer: string;
  /** How DLO proves who it is there; null where that isn't known yet. */
  readonly clientAuth: string | null;
  /** What this server's clock says, in milliseconds. */
  readonly now: number;
}

/** Why nobody was signed in, in a sentence that says what the provider said and what to change. */
export async function signInFailure(error: unknown, asked: Asked): Promise<OfficeError> {
  if (isOfficeError(error)) return error;
  return new OfficeError("SIGN_IN_REFUSED", await sentenceOf(error, asked), { cause: error });
}

async function sentenceOf(error: unknown, asked: Asked): Promise<string> {
  const { host } = new URL(asked.issuer);
  const name = error instanceof Error ? error.name : "";
  if (name === "AuthorizationResponseError") return denied(error as AuthorizationResponseError, host);
  if (name === "ResponseBodyError") return refusedBy(error as ResponseBodyError, { ...asked, host });
  if (name === "WWWAuthenticateChallengeError") {
    const said = await bodyOf((error as WWWAuthenticateChallengeError).response);
    return refusedBy({ error: "invalid_client", ...said }, { ...asked, host });
  }
  const { code = "", cause } = error as { readonly code?: string; readonly cause?: unknown };
  return byLibrary(code, detailOf(cause), { ...asked, host }) ?? unreached(error, host);
}

/** Errors of the provider's own words: what it calls them, and what it adds. */
interface Said {
  readonly error: string;
  readonly error_description?: string | undefined;
}

type At = Asked & { readonly host: string };

/** What came back with the browser. */
function denied({ error, error_description: description }: Said, host: string): string {
  const words = quoted({ error, error_description: description });
  if (error === "access_denied")
    return `${host} did not let you in: ${words}. Allow the sign-in there, or ask its administrator to assign you to DLO.`;
  if (error === "invalid_scope") return `${host} refused what DLO asks for: ${words}. Change \`signIn.oidc.scopes\`.`;
  if (error === "unauthorized_client" || error === "unsupported_response_type")
    return `${host} does not let DLO sign people in: ${words}. Allow the authorization code flow for this client there.`;
  if (error === "temporarily_unavailable" || error === "server_error")
    return `${host} has a problem of its own: ${words}. Try again later.`;
  return `${host} refused the sign-in: ${words}. Sign in again; if it repeats, run \`dlo auth check\`.`;
}

/** What the provider answered to the server. */
function refusedBy(said: Said, { host, clientAuth }: At): string {
  const words = quoted(said);
  if (said.error === "invalid_client" || said.error === "unauthorized_client")
    return `${host} did not accept who DLO says it is (${clientAuth ?? "no client authentication"}): ${words}. Check \`signIn.oidc.clientId\`, \`clientSecret\` and \`clientAuth\`.`;
  if (said.error === "invalid_grant")
    return `${host} takes the code of this sign-in no more: ${words}. Sign in again; if it repeats, compare the redirect address with \`dlo auth check\`.`;
  return `${host} refused to say who you are: ${words}. Sign in again; if it repeats, run \`dlo auth check\`.`;
}

/** What was wrong with an answer, as the library tells it. */
interface Detail {
  readonly status?: number;
  readonly url?: string;
  readonly attribute?: string;
  readonly expected?: unknown;
  readonly claim?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The library wraps its causes once or twice. */
function detailOf(cause: unknown): Detail {
  const inner = (cause as { readonly cause?: unknown } | null | undefined)?.cause;
  return typeof inner === "object" && inner !== null ? inner : (cause ?? {});
}

function byLibrary(code: string, detail: Detail, at: At): string | null {
  const { host, issuer } = at;
  if (code === "OAUTH_TIMEOUT") return `${host} did not answer in time. Try again in a minute.`;
  if (code === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED") return skewed(detail, at);
  if (code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED" && detail.attribute === "issuer")
    return `\`signIn.oidc.issuer\` is ${issuer}, but the provider there calls itself ${shown(detail.body?.issuer)}. Write it exactly as the provider does.`;
  if (code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED" && detail.attribute === "sub")
    return `${host} told at its userinfo endpoint about another person than in the ID token. Tell its administrator.`;
  if (code === "OAUTH_JWT_CLAIM_COMPARISON_FAILED") return mismatched(detail, at);
  if (code === "OAUTH_KEY_SELECTION_FAILED" || code === "OAUTH_INVALID_SIGNATURE")
    return `${host} signed with a key that is not among those it names. Try again in a minute; if it repeats, run \`dlo auth check\`.`;
  if (code === "OAUTH_RESPONSE_IS_NOT_CONFORM" && typeof detail.status === "number")
    return `${host} answered with status ${detail.status}${detail.url ? ` at ${detail.url}` : ""}. Check \`signIn.oidc.issuer\` (${issuer}).`;
  if (code === "OAUTH_RESPONSE_IS_NOT_JSON" || code === "OAUTH_PARSE_ERROR")
    return `${host} did not answer in JSON. Check \`signIn.oidc.issuer\` (${issuer}): it is not the address of a page.`;
  if (code === "OAUTH_HTTP_REQUEST_FORBIDDEN") return `${host} names an endpoint without TLS, which DLO does not call.`;
  if (code.startsWith("OAUTH_"))
    return `${host} answered in a way that DLO does not accept: ${reasonOf(detail)}. Run \`dlo auth check\`.`;
  return null;
}

function skewed({ claim, claims }: Detail, { host, now }: At): string {
  const said = claims?.[claim ?? ""];
  const theirs = typeof said === "number" ? timeText(said * 1_000) : "unknown";
  const issued = typeof claims?.iat === "number" ? `, issued at ${timeText(claims.iat * 1_000)}` : "";
  const until = claim === "nbf" ? "is valid from" : "is valid until";
  return `The clocks differ: what ${host} signed ${until} ${theirs}${issued}, and this server's clock says ${timeText(now)}. Set both by NTP.`;
}

function timeText(ms: number): string {
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : "an impossible time";
}

function mismatched({ claim, expected, claims }: Detail, { host }: At): string {
  const given = claims?.[claim ?? ""];
  return `${host} signed for something else: its \`${claim ?? "claim"}\` is ${shown(given)} where ${shown(expected)} was expected. Check \`signIn.oidc.clientId\` and \`issuer\`.`;
}

function reasonOf(detail: Detail): string {
  const text = (detail as { readonly message?: unknown }).message;
  return typeof text === "string" ? text : "it is not what the standard says";
}

/** Why there was no answer at all. */
function unreached(error: unknown, host: string): string {
  const root = rootOf(error);
  if (root instanceof OutboundRefused) return `${root.message} Run \`dlo auth check\`, or try again in a minute.`;
  const { code = "", message = "" } = root as { readonly code?: string; readonly message?: string };
  if (untrusted.has(code))
    return `${host} has a certificate that this server does not trust (${code}). Set \`signIn.oidc.ca\` to the file of your authority's certificate.`;
  if (code === "CERT_HAS_EXPIRED") return `The certificate of ${host} has expired. Ask its administrator to renew it.`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `The certificate of ${host} is for another name. Check \`signIn.oidc.issuer\`.`;
  return `${host} can't be reached (${code || cut(message)}). Try again in a minute.`;
}

const untrusted: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function rootOf(error: unknown): unknown {
  let at = error;
  for (let depth = 0; depth < 5 && !(at instanceof OutboundRefused); depth++) {
    const { cause } = at as { readonly cause?: unknown };
    if (!(cause instanceof Error)) break;
    at = cause;
  }
  return at;
}

async function bodyOf(response: Response): Promise<Partial<Said>> {
  const body: unknown = await response.json().catch(() => null);
  const { error, error_description: description } = (body ?? {}) as Partial<Said>;
  return {
    ...(typeof error === "string" ? { error } : {}),
    ...(typeof description === "string" ? { error_description: description } : {}),
  };
}

const longestWords = 300;

/** The provider's words, which may be anything: without what could pretend to be more than words, and not too many of them. */
function quoted({ error, error_description: description }: Said): string {
  return description === undefined || description === "" ? cut(error) : `${cut(error)}, “${cut(description)}”`;
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : cut(typeof value === "string" ? value : JSON.stringify(value));
}

function cut(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return plain.length <= longestWords ? plain : `${plain.slice(0, longestWords)}…`;
}
