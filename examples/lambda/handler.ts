/**
 * A Lambda function behind an SQS queue. Lambda hands over several messages at once, and deletes all of them or none unless the
 * function says which failed: a partial batch response (`ReportBatchItemFailures` on the event source mapping).
 *
 * What may succeed later is reported, and SQS hands it out again. What never will is put into the dead-letter queue at once, with
 * its reason, instead of being tried until the redrive policy moves it without a word.
 */
import { makeMessage, readFailure, type Transport, textHeader, wire } from "dead-letter-office";

/** The part of Lambda's event that is needed here; `@types/aws-lambda` has all of it. */
export interface SqsEvent {
  readonly Records: readonly SqsRecord[];
}

interface SqsRecord {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
}

interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export interface FunctionParts {
  readonly queue: string;
  /** Where dead letters are sent by. */
  readonly transport: Transport;
  readonly handle: (body: string) => Promise<void>;
}

export function sqsFunction(parts: FunctionParts): (event: SqsEvent) => Promise<BatchResponse> {
  return async ({ Records }) => {
    const failed: string[] = [];
    const held = new Set<string>();
    for (const record of Records) {
      const group = record.attributes.MessageGroupId;
      // Of a FIFO group nothing may pass one that has to come again.
      const isHeld = group !== undefined && held.has(group);
      if (!isHeld && (await isSettled(record, parts))) continue;
      failed.push(record.messageId);
      if (group !== undefined) held.add(group);
    }
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/** Whether SQS may forget it: it was handled, or is a dead letter by now. */
async function isSettled(record: SqsRecord, { queue, transport, handle }: FunctionParts): Promise<boolean> {
  try {
    await handle(record.body);
    return true;
  } catch (error) {
    const { kind, instruction, errorClass, message } = readFailure(error, { now: Date.now() });
    const isHopeless = instruction === "dead-letter" || kind === "business" || kind === "schema";
    console.log(`${record.messageId}: ${message}; ${isHopeless ? "a dead letter" : "again later"}`);
    if (!isHopeless) return false;
    const headers = [
      textHeader(wire.queue, queue),
      textHeader(wire.reason, "unprocessable"),
      textHeader(wire.attempt, record.attributes.ApproximateReceiveCount ?? "1"),
      textHeader(wire.error, JSON.stringify({ class: errorClass, message })),
    ];
    // First there, then gone from here: if it cannot be sent, the function fails and all of the batch comes again.
    await transport.send({ name: `${queue}.dlq` }, makeMessage({ body: record.body, headers }));
    return true;
  }
}
