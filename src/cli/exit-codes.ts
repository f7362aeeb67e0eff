import type { ErrorCode } from "../domain/errors.ts";

/** What the process says to the shell that started it. `dlo help exit-codes` prints the meanings. */
export const exit = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  blocked: 5,
  conflict: 6,
  returned: 7,
  pending: 8,
  unreachable: 9,
  bug: 70,
  interrupted: 130,
} as const;

export const exitMeanings: Readonly<Record<keyof typeof exit, string>> = {
  done: "done as asked",
  failed: "failed",
  usage: "a command, option or value that cannot be",
  notFound: "a named thing does not exist, or an action matched nothing",
  notAllowed: "not signed in, or not allowed",
  blocked: "blocked by policy; the reason is on stderr",
  conflict: "conflict: plan stale, count mismatch, claimed elsewhere",
  returned: "finished, but messages came back or the result is inconclusive",
  pending: "pending: waits for approval, or still running",
  unreachable: "a server could not be reached",
  bug: "a bug in dlo itself",
  interrupted: "interrupted (Ctrl-C)",
};

/** A new error code does not compile until it has an exit code here, */
export const exitCodes = {
  INVALID_OPTION: exit.usage,
  INVALID_MESSAGE: exit.usage,
  INVALID_CONFIG: exit.usage,
  MISSING_CLIENT_LIBRARY: exit.failed,
  TRANSPORT_CLOSED: exit.failed,
  TRANSPORT_UNAVAILABLE: exit.unreachable,
  QUEUE_NOT_FOUND: exit.notFound,
  DELIVERY_LOST: exit.conflict,
  MESSAGE_TOO_LARGE: exit.usage,
  CONSUMER_ALREADY_STARTED: exit.conflict,
  TRANSACTION_OVER: exit.failed,
  STORE_UNAVAILABLE: exit.unreachable,
  DRAIN_LOST: exit.conflict,
  LETTER_NOT_FOUND: exit.notFound,
  GROUP_NOT_FOUND: exit.notFound,
  SOURCE_NOT_FOUND: exit.notFound,
  INVALID_QUERY: exit.usage,
  PAGE_MISMATCH: exit.usage,
  INVALID_FILE: exit.usage,
  LEDGER_IN_USE: exit.conflict,
  NOT_ALLOWED: exit.notAllowed,
  AUDIT_BROKEN: exit.conflict,
} satisfies Record<ErrorCode, number>;

/** and a name for programs here: what `--json` gives as `error.code`. */
export const publicCodes = {
  INVALID_OPTION: "input.invalid_option",
  INVALID_MESSAGE: "input.invalid_message",
  INVALID_CONFIG: "input.invalid_config",
  MISSING_CLIENT_LIBRARY: "client.missing",
  TRANSPORT_CLOSED: "transport.closed",
  TRANSPORT_UNAVAILABLE: "transport.unavailable",
  QUEUE_NOT_FOUND: "queue.not_found",
  DELIVERY_LOST: "delivery.lost",
  MESSAGE_TOO_LARGE: "input.message_too_large",
  CONSUMER_ALREADY_STARTED: "consumer.already_started",
  TRANSACTION_OVER: "transaction.over",
  STORE_UNAVAILABLE: "store.unavailable",
  DRAIN_LOST: "drain.lost",
  LETTER_NOT_FOUND: "letter.not_found",
  GROUP_NOT_FOUND: "group.not_found",
  SOURCE_NOT_FOUND: "source.not_found",
  INVALID_QUERY: "query.invalid",
  PAGE_MISMATCH: "page.mismatch",
  INVALID_FILE: "input.invalid_file",
  LEDGER_IN_USE: "ledger.in_use",
  NOT_ALLOWED: "actor.not_allowed",
  AUDIT_BROKEN: "audit.broken",
} satisfies Record<ErrorCode, string>;
