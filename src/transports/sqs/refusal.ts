import { isOfficeError, OfficeError } from "../../domain/errors.ts";

/** What the AWS client rejects with, or an entry of a batch says, as far as it is of use. */
export interface SqsFault {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

interface Refusal {
  readonly says: RegExp;
  readonly code:
    | "INVALID_OPTION"
    | "ACCESS_REFUSED"
    | "MESSAGE_TOO_LARGE"
    | "QUEUE_NOT_FOUND"
    | "TRANSPORT_UNAVAILABLE";
  readonly sentence: string;
}

const refusals: readonly Refusal[] = [
  {
    says: /QueueDoesNotExist|NonExistentQueue/u,
    code: "QUEUE_NOT_FOUND",
    sentence: 'There is no such queue in this account and region. Make it, or let the transport: `topology: "make"`.',
  },
  {
    says: /MessageTooLong|BatchRequestTooLong|must be shorter than|exceeds? the (allowed )?maximum|number of message attributes/iu,
    code: "MESSAGE_TOO_LARGE",
    sentence:
      "The message is larger than its queue takes. Raise the queue's MaximumMessageSize (1 MiB at most), or send a reference.",
  },
  {
    says: /QueueDeletedRecently/u,
    code: "TRANSPORT_UNAVAILABLE",
    sentence: "A queue of this name was deleted a moment ago; SQS makes it again after 60 seconds.",
  },
  {
    says: /OverLimit/u,
    code: "TRANSPORT_UNAVAILABLE",
    sentence:
      "The queue has as many messages in flight as SQS allows (120,000). Take fewer ahead, or let consumers catch up.",
  },
  {
    says: /AccessDenied|not authorized|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|ExpiredToken|KMS\.\w*(AccessDenied|Disabled)/iu,
    code: "ACCESS_REFUSED",
    sentence: "",
  },
  {
    says: /Region is missing/iu,
    code: "INVALID_OPTION",
    sentence: "Which region? Give `region`, or set AWS_REGION.",
  },
];

/** What a consumer's role needs at the least; the office needs less (docs/guides/sqs.md). */
const rights =
  "sqs:ReceiveMessage, sqs:DeleteMessage, sqs:ChangeMessageVisibility and sqs:SendMessage on its queues and their dead-letter " +
  'queues, and sqs:GetQueueUrl; sqs:CreateQueue where `topology` is "make"';

/** Of what nobody foresaw. */
const wayOut =
  "It may pass, and is tried again; if it does not, look at the endpoint, the region and the health of SQS there.";

/** What SQS or its client said, as a refusal of ours; silence and all the rest may pass. `what` was asked. */
export function refusalOf(error: unknown, what: string): OfficeError {
  if (isOfficeError(error)) return error;
  const fault = (error ?? {}) as SqsFault;
  const said = [fault.name ?? fault.code, fault.message].filter(Boolean).join(": ") || String(error);
  const known = refusals.find(({ says }) => says.test(said));
  const details = { sqs: said, request: what };
  if (/CredentialsProviderError|Could not load credentials/u.test(said)) {
    const sentence =
      "Nobody says who we are to AWS. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the process a profile or a role.";
    return new OfficeError("ACCESS_REFUSED", sentence, { details, cause: error });
  }
  if (known?.code === "ACCESS_REFUSED") {
    const sentence = `SQS does not let us do this: ${what} (${said}). A consumer needs ${rights}.`;
    return new OfficeError("ACCESS_REFUSED", sentence, { details, cause: error });
  }
  if (known !== undefined) return new OfficeError(known.code, known.sentence, { details, cause: error });
  return new OfficeError("TRANSPORT_UNAVAILABLE", `SQS did not do it: ${what} (${said}). ${wayOut}`, {
    details,
    cause: error,
  });
}

/** The hand-over that a receipt stands for is over. */
export function isLost({ name, code, message }: SqsFault): boolean {
  return /ReceiptHandleIsInvalid|MessageNotInflight|receipt handle|not available for visibility|visibility ?timeout .*(maximum|beyond the limit)/iu.test(
    [name, code, message].join(" "),
  );
}
