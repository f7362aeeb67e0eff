import type { FastifyReply, FastifyRequest } from "fastify";
import { isOfficeError, OfficeError } from "../domain/errors.ts";
import { boundedDetails, refusalOf } from "../domain/refusal.ts";
import { statusCodes } from "./status-codes.ts";

/** What the log gets of a request that failed without anybody having asked wrongly. */
export interface ServerFailure {
  /** The same as in the answer. */
  readonly id: string;
  readonly method: string;
  /** Without the query, which may hold what people search for. */
  readonly path: string;
  readonly error: unknown;
}

/** Answers with what went wrong: `{ error: { code, message, hint, details, docs, id } }`. */
export function answerError(
  thrown: unknown,
  { request, reply, referencePath }: { request: FastifyRequest; reply: FastifyReply; referencePath: string },
): ServerFailure | null {
  const error = officeErrorOf(thrown);
  const status = statusCodes[error.code];
  const { code, message, hint } = refusalOf(error);
  const { hint: _told, retryAfterS, ...details } = boundedDetails(error.details);
  if (typeof retryAfterS === "number") void reply.header("retry-after", String(retryAfterS));
  void reply
    .code(status)
    .send({ error: { code, message, hint, details, docs: `${referencePath}#${code}`, id: request.id } });
  if (status < 500) return null;
  return { id: request.id, method: request.method, path: request.url.split("?")[0] ?? "", error: thrown };
}

/** What a person is told of anything that was thrown. */
export function officeErrorOf(thrown: unknown): OfficeError {
  if (isOfficeError(thrown)) return thrown;
  const { code = "", statusCode = 500 } = thrown as { readonly code?: string; readonly statusCode?: number };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new OfficeError("MESSAGE_TOO_LARGE", "The body is larger than the office takes: send less at once.");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE" || code === "FST_ERR_CTP_EMPTY_JSON_BODY")
    return new OfficeError("INVALID_REQUEST", "The body must be JSON, and `Content-Type` application/json.");
  if (statusCode === 400) return new OfficeError("INVALID_REQUEST", `The request cannot be read: ${textOf(thrown)}.`);
  if (unkeptCharacter.has(code))
    return new OfficeError(
      "INVALID_REQUEST",
      "A text in the request holds NUL, which the ledger cannot keep. Take it out.",
    );
  if (isLedgerAway(code))
    return new OfficeError("STORE_UNAVAILABLE", "The ledger does not answer. Nothing was changed; try again.", {
      details: { retryAfterS: 1 },
      cause: thrown,
    });
  return new OfficeError("SERVER_FAILED", "The office failed, and not by your doing. Its log has more under this id.");
}

/** How PostgreSQL says that a text holds U+0000, as it stands or in JSON. */
const unkeptCharacter: ReadonlySet<string> = new Set(["22021", "22P05"]);

/** How Node, and PostgreSQL, say that there is nobody, or nobody who has time. */
function isLedgerAway(code: unknown): boolean {
  return (
    typeof code === "string" &&
    /^(ECONN(REFUSED|RESET)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|08...|53...|57P..)$/.test(code)
  );
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message.replace(/\.$/, "") : String(thrown);
}
