import { type Clock, within } from "../domain/clock.ts";
import { type ErrorCode, isOfficeError, OfficeError } from "../domain/errors.ts";

export interface BrokerQuestion<Answer> {
  /** The name of the source. */
  readonly source: string;
  /** Host and port of its broker, as people know them. */
  readonly where: () => Promise<string>;
  readonly ask: () => Promise<Answer>;
  readonly clock: Clock;
  /** How long an answer is waited for, in milliseconds; null: as long as the broker's client waits. */
  readonly withinMs: number | null;
}

/**
 * Asks a broker. Where it cannot be asked, the refusal names the address and the cause, so that a page can say both in the place of
 * the answer: "kafka-1:9092 refused the connection". What is no fault of the broker's is thrown as it is.
 */
export async function askBroker<Answer>(question: BrokerQuestion<Answer>): Promise<Answer> {
  const { source, where, ask, clock, withinMs } = question;
  const tooLate = () => {
    throw new OfficeError("TRANSPORT_UNAVAILABLE", "No answer in time.", { details: { withinMs } });
  };
  try {
    return await (withinMs === null ? ask() : within(clock, withinMs, ask(), tooLate));
  } catch (error) {
    const what = whatWentWrong(error);
    // What names its own address is not about the one that was to be asked.
    if (what === null || whyNotAsked(error) !== null) throw error;
    const why = `${await where().catch(() => source)} ${what}`;
    throw notAsked({ source, why, cause: error });
  }
}

/** What a broker that could not be asked is refused with, and why. */
export function notAsked({
  source,
  why,
  cause,
}: {
  readonly source: string;
  readonly why: string;
  readonly cause?: unknown;
}) {
  const code: ErrorCode = isOfficeError(cause) ? cause.code : "TRANSPORT_UNAVAILABLE";
  const text = `Source \`${source}\` was not asked: ${why}.`;
  return new OfficeError(code, text, { details: { ...detailsOf(cause), source, [whyKey]: why }, cause });
}

const whyKey = "notAsked";

/** Why a broker could not be asked, where that is what the error is about; null otherwise. */
export function whyNotAsked(error: unknown): string | null {
  const why = isOfficeError(error) ? error.details[whyKey] : undefined;
  return typeof why === "string" ? why : null;
}

/** Why a broker is not there at this moment, where that is what the error is about; null otherwise. */
export function whyAway(error: unknown): string | null {
  const why = whyNotAsked(error);
  if (why !== null) return why;
  return isOfficeError(error, "TRANSPORT_UNAVAILABLE") ? error.message.replace(/\.$/u, "") : null;
}

/** Where an address leads, without user, password and path: `kafka-1:9092`. Of several hosts the first is named. */
export function hostIn(address: string): string {
  const rest = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const place = rest.slice(rest.lastIndexOf("@") + 1).split(/[/?#]/)[0] ?? "";
  const [first = "", ...others] = place.split(",");
  return others.length === 0 ? first : `${first} (and ${others.length} more)`;
}

/** What an address did instead of answering, as the rest of a sentence about it; null where the error is about something else. */
export function whatWentWrong(error: unknown): string | null {
  if (isOfficeError(error) && typeof error.details.withinMs === "number")
    return `did not answer within ${error.details.withinMs / 1_000} s`;
  const codes = codesIn(error);
  const known = codes.map((code) => sentences[code] ?? postgresSentence(code)).find((each) => each !== undefined);
  if (known !== undefined) return known;
  if (isOfficeError(error)) return ofRefusal[error.code] ?? null;
  const said = error instanceof Error ? error.message : "";
  if (/\btime(d )?out\b/i.test(said)) return silent;
  if (/\bconnection (was )?(terminated|ended|closed|lost)\b/i.test(said)) return lost;
  const [code] = codes;
  // Called in a way that cannot be: that is a fault of ours.
  return code === undefined || code.startsWith("ERR_INVALID") ? null : `answered with an error (${code})`;
}

const ofRefusal: Partial<Readonly<Record<ErrorCode, string>>> = {
  TRANSPORT_UNAVAILABLE: "did not answer",
  ACCESS_REFUSED: "refused the user, the password or the right to look",
  MISSING_CLIENT_LIBRARY: "needs a client library that is not installed",
};

const lost = "closed the connection";
const silent = "did not answer";
const untrusted = "has a certificate that is not trusted";

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ENOTFOUND: "is not a known host (ENOTFOUND)",
  EAI_AGAIN: "could not be looked up by name (EAI_AGAIN)",
  EHOSTUNREACH: "cannot be reached (EHOSTUNREACH)",
  ENETUNREACH: "cannot be reached (ENETUNREACH)",
  ...{ ECONNRESET: lost, EPIPE: lost, UND_ERR_SOCKET: lost, ETIMEDOUT: silent, UND_ERR_CONNECT_TIMEOUT: silent },
  ...{ DEPTH_ZERO_SELF_SIGNED_CERT: untrusted, SELF_SIGNED_CERT_IN_CHAIN: untrusted },
  ...{ UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted, CERT_HAS_EXPIRED: "has a certificate that has expired" },
};

/** Classes of SQLSTATE: 28 is who you are, 42501 what you may, 3D a database that is not there, 57P a server that stops. */
function postgresSentence(code: string): string | undefined {
  if (/^28\w{3}$|^42501$/.test(code)) return ofRefusal.ACCESS_REFUSED;
  if (/^3D\w{3}$/.test(code)) return "has no such database";
  return /^57P0[123]$/.test(code) ? "is stopping or starting" : undefined;
}

/** Of an error and what caused it: the system's and the database's own; several addresses of a name fail together. */
function codesIn(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const own = !isOfficeError(error) && "code" in error && typeof error.code === "string" ? [error.code] : [];
  // Some clients put it into their message alone.
  const named = own.length > 0 ? own : Object.keys(sentences).filter((code) => error.message.includes(code));
  const parts = error instanceof AggregateError ? error.errors.flatMap((each) => codesIn(each, depth + 1)) : [];
  return [...named, ...parts, ...codesIn(error.cause, depth + 1)];
}

function detailsOf(error: unknown): Readonly<Record<string, unknown>> {
  return isOfficeError(error) ? error.details : {};
}
