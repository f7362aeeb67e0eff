import type { FailureKind } from "../domain/handler-errors.ts";
import { cutText, peek, peekText } from "./cautious.ts";
import {
  classKinds,
  codeKinds,
  grpcKinds,
  messageKind,
  mongoKinds,
  redisKinds,
  sqlStateKind,
  statusKind,
} from "./failure-tables.ts";

/** What one error says about its kind, and by what. */
export interface Evidence {
  readonly kind: FailureKind;
  readonly why: string;
  /** Read off the wording alone: it counts only where nothing better is found, here or in a cause. */
  readonly weak?: true;
}

/** Judges one error by itself, by the most telling thing about it: code, class, message, status, in that order. */
export function evidenceOf(error: unknown, errorClass: string): Evidence | undefined {
  return (
    byCode(error, errorClass) ??
    evidence(classKinds.get(errorClass), `class ${errorClass}`) ??
    byMessage(peekText(error, "message"), errorClass) ??
    byStatus(readStatus(error))
  );
}

export function readCode(error: unknown): string | undefined {
  const code = peek(error, "code");
  if (typeof code === "string" && code !== "") return code;
  return typeof code === "number" && Number.isFinite(code) ? String(code) : peekText(error, "sqlState");
}

export function readStatus(error: unknown): number | undefined {
  const response = peek(error, "response");
  const candidates = [
    peek(error, "status"),
    peek(error, "statusCode"),
    peek(response, "status"),
    peek(response, "statusCode"),
    peek(peek(error, "$metadata"), "httpStatusCode"),
    peek(peek(error, "output"), "statusCode"),
    // Some clients put the status under `code`; no other numbers of theirs are in that range.
    peek(error, "code"),
  ];
  return candidates.find(
    (value): value is number => Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600,
  );
}

function byCode(error: unknown, errorClass: string): Evidence | undefined {
  const code = readCode(error);
  if (code === undefined) return undefined;
  return (
    evidence(codeKinds.get(code), `code ${code}`) ??
    evidence(sqlKind(error, code), `SQLSTATE ${peekText(error, "sqlState") ?? code}`) ??
    evidence(isGrpc(error, code) ? grpcKinds.get(code) : undefined, `gRPC code ${code}`) ??
    evidence(errorClass.startsWith("Mongo") ? mongoKinds.get(code) : undefined, `MongoDB code ${code}`)
  );
}

/** Five characters alone prove nothing: other systems number their errors so, too. */
function sqlKind(error: unknown, code: string): FailureKind | undefined {
  const state = peekText(error, "sqlState") ?? code;
  const fromDatabase =
    peekText(error, "sqlState") !== undefined ||
    peekText(error, "severity") !== undefined ||
    peekText(error, "routine") !== undefined;
  return fromDatabase && /^[0-9A-Z]{5}$/.test(state) ? sqlStateKind(state) : undefined;
}

/** By name the codes are unmistakable; by number only beside what gRPC and Connect errors carry. */
function isGrpc(error: unknown, code: string): boolean {
  return !/^\d+$/.test(code) || peek(error, "metadata") !== undefined;
}

function byMessage(message: string | undefined, errorClass: string): Evidence | undefined {
  if (message === undefined) return undefined;
  if (errorClass === "SyntaxError") return byJson(message);
  if (["ReplyError", "ErrorReply", "SimpleError"].includes(errorClass)) {
    const word = message.slice(0, 32).split(" ", 1)[0] ?? "";
    return evidence(redisKinds.get(word), `Redis ${word}`);
  }
  const kind = messageKind(message);
  return kind === undefined ? undefined : { kind, why: `message "${cutText(message, 60)}"`, weak: true };
}

/** Text that should have been JSON and begins like a page is a gateway's answer, not the message's fault. */
function byJson(message: string): Evidence | undefined {
  const isPage = /Unexpected token '?</.test(message);
  return message.includes("JSON") && !isPage ? { kind: "schema", why: "malformed JSON" } : undefined;
}

function byStatus(status: number | undefined): Evidence | undefined {
  return status === undefined ? undefined : evidence(statusKind(status), `status ${status}`);
}

function evidence(kind: FailureKind | undefined, why: string): Evidence | undefined {
  return kind === undefined ? undefined : { kind, why };
}
