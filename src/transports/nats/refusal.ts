import { type ErrorCode, isOfficeError, OfficeError } from "../../domain/errors.ts";

interface Refusal {
  /** What NATS or its client says. */
  readonly says: RegExp;
  readonly code: ErrorCode;
  readonly sentence: string;
}

/** The least that a user of NATS needs to be allowed for what we do. */
export const leastRights =
  "publish on `$JS.API.>`, `$JS.ACK.>`, `dlo.>` and the subjects of its queues, and subscribe on `_INBOX.>`, `dlo.>` and " +
  "the same subjects";

const refusals: readonly Refusal[] = [
  {
    says: /permissions? violation|authorization violation|authentication|user not found|nkey/iu,
    code: "ACCESS_REFUSED",
    sentence: `NATS does not let this user in, or not do this. See its name, password and permissions: it needs to ${leastRights}.`,
  },
  {
    says: /jetstream (is )?not enabled|jetstream not enabled for account/iu,
    code: "INVALID_OPTION",
    sentence:
      "This NATS has no JetStream, or not for this account, and without it keeps nothing. Start it with `-js`, or enable it " +
      "for the account.",
  },
  {
    says: /max_payload|message size exceeds/iu,
    code: "MESSAGE_TOO_LARGE",
    sentence:
      "The message is larger than the server or its stream takes. Raise `max_payload` of the server (and `max_msg_size` of the " +
      "stream), or send a reference to the data.",
  },
  {
    says: /not unique on workqueue|multiple non-filtered consumers/iu,
    code: "INVALID_OPTION",
    sentence:
      "The stream is a work queue, which one group reads, and another reads it already. Name that group, or make the stream " +
      "with limits retention, where each group gets every message.",
  },
  {
    says: /subjects overlap/iu,
    code: "INVALID_OPTION",
    sentence:
      "Another stream has the subject of this queue already, together with others. Name the stream, as in `ORDERS/orders.paid`, " +
      "or take the subject out of it.",
  },
  {
    says: /expected stream does not match/iu,
    code: "QUEUE_NOT_FOUND",
    sentence: "The subject does not lead to the stream that is named before it. See `nats stream ls`.",
  },
  {
    says: /maximum (messages|bytes|messages per subject) exceeded|insufficient (storage )?resources|resource limits/iu,
    code: "TRANSPORT_UNAVAILABLE",
    sentence:
      "The stream is full, or the account, and takes no messages. Raise its limits (`nats stream edit`), or let consumers catch up.",
  },
];

/** Of what nobody foresaw. */
const wayOut =
  "It may pass, and is tried again; if it does not, see what the server logs, and `nats server check jetstream`.";

/** What NATS or its client said, as a refusal of ours; silence and all the rest may pass. */
export function refusalOf(error: unknown): OfficeError {
  if (isOfficeError(error)) return error;
  const said = saidBy(error);
  const known = refusals.find(({ says }) => says.test(said));
  const details = { details: { nats: said }, cause: error };
  if (known !== undefined) return new OfficeError(known.code, known.sentence, details);
  return new OfficeError("TRANSPORT_UNAVAILABLE", `NATS did not do it: ${said}. ${wayOut}`, details);
}

/** What a stream answered instead of taking a message. */
export function refusalOfAnswer({ err_code, description }: { err_code?: number; description?: string }): OfficeError {
  return refusalOf(new Error(`${description ?? "no reason given"} (${err_code ?? "no code"})`));
}

/** JetStream says that there is no such stream, consumer or message. */
export function isGone(error: unknown): boolean {
  return says(error, /(stream|consumer|message) not found|no stream matches|no message found/iu);
}

/** The same, or nobody listens on a subject: either what it led to is gone, or JetStream is away. */
export function isNobodyThere(error: unknown): boolean {
  return isGone(error) || says(error, /no responders/iu);
}

function says(error: unknown, what: RegExp): boolean {
  return isOfficeError(error) && what.test(String(error.details.nats));
}

function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
