import { type ErrorCode, OfficeError } from "../domain/errors.ts";
import { publicCodes } from "../domain/public-codes.ts";
import type { InputOf, OperationName, OutputOf } from "../office/operations/operations.ts";
import { apiPrefix, routes, splitRoute } from "./routes.ts";

export type { InputOf, OutputOf } from "../office/operations/operations.ts";

export interface OfficeClientOptions {
  /** Where the office is, with its base path: `http://127.0.0.1:7717`. Empty for the page's own. */
  readonly url: string;
  /** A token, or a session's id; without one the session's cookie must do. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** Makes asking again harmless. */
  readonly idempotencyKey?: string;
}

/** Asks an office for an operation by its name, typed from the table. Rejects with the office's own refusal. */
export type Ask = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  options?: AskOptions,
) => Promise<OutputOf<Name>>;

export function officeClient({ url, token, fetch: ask = fetch }: OfficeClientOptions): Ask {
  return async (name, input, { signal, idempotencyKey } = {}) => {
    const { path, method, body } = requestOf(name, input);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      ...(method === "POST" ? { "content-type": "application/json", "x-dlo-csrf": "1" } : {}),
    };
    const request = { method, body, headers, redirect: "error", signal: signal ?? null } as const;
    const response = await ask(`${url}${apiPrefix}${path}`, request).catch((error: unknown) => {
      throw unreachable(url, error);
    });
    return answerOf(response) as never;
  };
}

/** What the office answered, or its refusal thrown. */
export async function answerOf(response: Response): Promise<unknown> {
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  throw refusalFrom(answer, response.status);
}

/** Where a question that only reads is found, without the office's own address. */
export function addressOf<Name extends OperationName>(name: Name, input: InputOf<Name>): string {
  return `${apiPrefix}${requestOf(name, input).path}`;
}

type Values = Readonly<Record<string, unknown>>;

function requestOf(name: OperationName, input: Values) {
  const { method, path, inPath } = splitRoute(routes[name]);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, part: string) => encodeURIComponent(String(input[part])));
  const rest = Object.entries(input).filter(([key, value]) => !inPath.includes(key) && value !== undefined);
  if (method === "POST") return { method, path: filled, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams(
    rest.flatMap(([key, value]) => textsOf(value).map((text): [string, string] => [key, text])),
  ).toString();
  return { method, path: query === "" ? filled : `${filled}?${query}`, body: null };
}

/** What reads takes nothing deeper than a list. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
}

const codesByName: ReadonlyMap<string, ErrorCode> = new Map(
  Object.entries(publicCodes).map(([code, name]) => [name, code as ErrorCode]),
);

function refusalFrom(answer: unknown, status: number): OfficeError {
  const { error } = (answer ?? {}) as { readonly error?: Readonly<Record<string, unknown>> };
  const code = codesByName.get(String(error?.code)) ?? (status === 401 ? "NOT_SIGNED_IN" : "SERVER_FAILED");
  const message = typeof error?.message === "string" ? error.message : `The office answered ${status} and no more.`;
  const details = { ...(error?.details as object | undefined), id: error?.id, status };
  return new OfficeError(code, message, {
    details: typeof error?.hint === "string" ? { ...details, hint: error.hint } : details,
  });
}

export function unreachable(url: string, error: unknown): unknown {
  if (error instanceof Error && error.name === "AbortError") return error;
  return new OfficeError("SERVER_UNAVAILABLE", `No office answers at ${url === "" ? "this address" : url}.`, {
    cause: error,
    details: { hint: "Is it running? `dlo up` starts one." },
  });
}
