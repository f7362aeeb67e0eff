/** Every way the office itself can refuse. Borders map these: see public-codes.ts, cli/exit-codes.ts, http/status-codes.ts. */
export const errorCodes = [
  "INVALID_OPTION",
  "INVALID_MESSAGE",
  "INVALID_CONFIG",
  "MISSING_CLIENT_LIBRARY",
  "TRANSPORT_CLOSED",
  "TRANSPORT_UNAVAILABLE",
  "UNKNOWN_ANSWER",
  "ACCESS_REFUSED",
  "QUEUE_NOT_FOUND",
  "DELIVERY_LOST",
  "MESSAGE_TOO_LARGE",
  "CONSUMER_ALREADY_STARTED",
  "TRANSACTION_OVER",
  "STORE_UNAVAILABLE",
  "SCHEMA_MISMATCH",
  "DRAIN_LOST",
  "LETTER_NOT_FOUND",
  "LETTER_DECIDED",
  "GIVE_BACK_REFUSED",
  "PEEK_REFUSED",
  "BODY_NOT_SHOWN",
  "EDIT_REFUSED",
  "EDIT_CONFLICT",
  "WEBHOOK_FAILED",
  "NOTIFIER_NOT_FOUND",
  "GROUP_NOT_FOUND",
  "GROUP_CHANGE_NOT_FOUND",
  "GROUPS_CHANGED",
  "SOURCE_NOT_FOUND",
  "INVALID_QUERY",
  "UNKNOWN_NAME",
  "PAGE_MISMATCH",
  "INVALID_FILE",
  "LEDGER_IN_USE",
  "NOT_ALLOWED",
  "AUDIT_BROKEN",
  "REPLAY_NOT_FOUND",
  "REPLAY_NOT_READY",
  "PLAN_CHANGED",
  "NOTHING_TO_SEND",
  "SEND_NOT_IN_DOUBT",
  "SENDER_MAY_WAKE",
  "SENDING_STOPPED",
  "RETENTION_RUNNING",
  "APPROVAL_REFUSED",
  "POLICY_NOT_FOUND",
  "POLICY_CHANGED",
  "FIX_NOT_FOUND",
  "BREAKER_NOT_FOUND",
  "KEY_NOT_BLOCKED",
  "BREAKER_NOT_SHARED",
  "BREAKER_AMBIGUOUS",
  "VIEW_NOT_FOUND",
  "ALERT_NOT_FOUND",
  "ALERT_RULE_NOT_FOUND",
  "NOT_SIGNED_IN",
  "REQUEST_REFUSED",
  "INVALID_REQUEST",
  "ROUTE_NOT_FOUND",
  "TOO_MANY_TRIES",
  "KEY_TAKEN",
  "KEY_BUSY",
  "SERVER_UNAVAILABLE",
  "SERVER_FAILED",
  "SIGN_IN_REFUSED",
  "PERSON_NOT_FOUND",
  "TOKEN_NOT_FOUND",
  "TOKEN_SUSPENDED",
  "DEMO_NO_REAL_SOURCE",
  "ROLE_NOT_FOUND",
  "JOB_MOVED",
  "JOB_REFUSED",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What the office refuses, with a code for programs and a sentence, with the way out, for people. */
export class OfficeError extends Error {
  override readonly name = "OfficeError";
  readonly code: ErrorCode;
  /** Facts for programs to read; the message is for people. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    { details = {}, cause }: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** What was asked is wrong, not the moment: repeated, it is refused again. */
const refusals: readonly ErrorCode[] = [
  "INVALID_OPTION",
  "INVALID_MESSAGE",
  "INVALID_CONFIG",
  "MESSAGE_TOO_LARGE",
  "QUEUE_NOT_FOUND",
  "SOURCE_NOT_FOUND",
  "JOB_MOVED",
  "JOB_REFUSED",
];
/** Whoever was asked will never answer anything any more. */
const ends: readonly ErrorCode[] = ["TRANSPORT_CLOSED", "MISSING_CLIENT_LIBRARY", "SCHEMA_MISMATCH"];

/** Whether it was refused, and would be again, while anything else may well be done. */
export function isRefusal(error: unknown): boolean {
  return isOfficeError(error) && refusals.includes(error.code);
}

/** Whether to ask again is in vain. Of any other error it is unknown: the broker may have been away. */
export function isFinal(error: unknown): boolean {
  return isRefusal(error) || (isOfficeError(error) && ends.includes(error.code));
}

/** Prefer this to `instanceof`: it also recognises errors from a second copy of the package. */
export function isOfficeError(value: unknown, code?: ErrorCode): value is OfficeError {
  return (
    value instanceof Error &&
    value.name === "OfficeError" &&
    "code" in value &&
    (code === undefined || value.code === code)
  );
}
