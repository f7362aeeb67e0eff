import type { BatchResultErrorEntry } from "@aws-sdk/client-sqs";
import type { Clock } from "../../domain/clock.ts";
import { isRefusal, OfficeError } from "../../domain/errors.ts";
import { coalesce } from "../coalesce.ts";
import { unknownAnswer } from "../unknown-answer.ts";
import type { SqsConnection } from "./connection.ts";
import { type Outgoing, sizeOf } from "./message-codec.ts";
import { isFifoName } from "./queue-names.ts";
import { isLost, refusalOf } from "./refusal.ts";

/** What SQS takes at once. */
const maxItems = 10;
/** What all messages of a batch may weigh where a queue takes 256 KiB; a single one may be larger. */
const maxBytes = 262_144;
/** Batches of one kind under way at a time, for one queue. */
const atOnce = 8;

export interface Parcel {
  readonly outgoing: Outgoing;
  readonly delayS: number;
}

export interface Visibility {
  readonly handle: string;
  readonly seconds: number;
}

/** What became of one entry of a batch. "lost": the hand-over is over, nothing changed. */
type Outcome = "done" | "lost" | { readonly error: OfficeError };

/** One queue as many callers use it at once: ten things with each request, and each caller hears of its own. */
export interface QueueBatches {
  send(parcel: Parcel): Promise<void>;
  /** False: the hand-over is over. */
  remove(handle: string): Promise<boolean>;
  /** False: the hand-over is over. */
  hide(visibility: Visibility): Promise<boolean>;
}

export function queueBatches(connection: SqsConnection, name: string, clock: Clock): QueueBatches {
  const common = { atOnce, limitMs: null, clock, maxItems };
  const send = coalesce<Parcel, Outcome>({
    ...common,
    weight: { of: ({ outgoing }) => sizeOf(outgoing), max: maxBytes },
    run: (parcels) => sendAll(connection, name, parcels),
  });
  const remove = coalesce<string, Outcome>({ ...common, run: (handles) => removeAll(connection, name, handles) });
  const hide = coalesce<Visibility, Outcome>({ ...common, run: (entries) => hideAll(connection, name, entries) });
  return {
    async send(parcel) {
      settle(await send(parcel));
    },
    remove: async (handle) => settle(await remove(handle)),
    hide: async (visibility) => settle(await hide(visibility)),
  };
}

function settle(outcome: Outcome): boolean {
  if (typeof outcome === "string") return outcome === "done";
  throw outcome.error;
}

async function sendAll(
  connection: SqsConnection,
  name: string,
  parcels: readonly Parcel[],
): Promise<readonly Outcome[]> {
  const Entries = parcels.map(({ outgoing, delayS }, index) => ({
    ...outgoing,
    Id: String(index),
    ...(delayS > 0 && { DelaySeconds: delayS }),
  }));
  const what = "sqs:SendMessage to";
  // A FIFO queue knows a repetition by its id.
  const how = { isOnce: !isFifoName(name) };
  return answered(parcels.length, what, () =>
    connection.askOf(name, what, (client, QueueUrl) => client.sendMessageBatch({ QueueUrl, Entries }), how),
  );
}

async function removeAll(
  connection: SqsConnection,
  name: string,
  handles: readonly string[],
): Promise<readonly Outcome[]> {
  const Entries = handles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
  const what = "sqs:DeleteMessage from";
  return answered(handles.length, what, () =>
    connection.askOf(name, what, (client, QueueUrl) => client.deleteMessageBatch({ QueueUrl, Entries })),
  );
}

async function hideAll(
  connection: SqsConnection,
  name: string,
  entries: readonly Visibility[],
): Promise<readonly Outcome[]> {
  const Entries = entries.map(({ handle, seconds }, index) => ({
    Id: String(index),
    ReceiptHandle: handle,
    VisibilityTimeout: seconds,
  }));
  const what = "sqs:ChangeMessageVisibility in";
  return answered(entries.length, what, () =>
    connection.askOf(name, what, (client, QueueUrl) => client.changeMessageVisibilityBatch({ QueueUrl, Entries })),
  );
}

interface BatchAnswer {
  readonly Successful?: readonly { readonly Id?: string | undefined }[] | undefined;
  readonly Failed?: readonly BatchResultErrorEntry[] | undefined;
}

/**
 * Some of a batch may fail and the rest not. Of an answer that refuses all of it, each hears the same: unless there was
 * one too many for them together, each would have been refused alone.
 */
async function answered(count: number, what: string, ask: () => Promise<BatchAnswer>): Promise<readonly Outcome[]> {
  const { Successful = [], Failed = [] } = await ask();
  // Of what the answer doesn't mention no one can say that it was done.
  const untold: Outcome = { error: unknownAnswer("SQS", what, { Successful, Failed }) };
  const outcomes: Outcome[] = Array.from({ length: count }, () => untold);
  for (const { Id } of Successful) outcomes[Number(Id)] = "done";
  for (const { Id, Code, Message, SenderFault } of Failed) {
    const fault = { ...(Code !== undefined && { code: Code }), ...(Message !== undefined && { message: Message }) };
    outcomes[Number(Id)] = isLost(fault) ? "lost" : { error: faultOf(fault, what, SenderFault === true) };
  }
  return outcomes;
}

/** What SQS calls the sender's fault will be one every time. */
function faultOf(
  fault: { readonly code?: string; readonly message?: string },
  what: string,
  ours: boolean,
): OfficeError {
  const error = refusalOf(fault, what);
  const passes = /Throttl|OverLimit|AccessDenied|Unavailable|InternalError/u.test(fault.code ?? "");
  if (!ours || isRefusal(error) || error.code === "ACCESS_REFUSED" || passes) return error;
  return new OfficeError("INVALID_MESSAGE", error.message, { details: error.details, cause: fault });
}
