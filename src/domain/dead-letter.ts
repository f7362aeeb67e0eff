import type { EarlierError } from "./classification.ts";
import type { Message } from "./message.ts";

/**
 * A message that some program gave up, as it was found: nothing in it has been interpreted. Who gave it up, and why, is
 * what a `LetterReading` says.
 */
export interface DeadLetter {
  /**
   * What it was found in: `kafka`, `amqp-0-9-1`, `amqp-1-0`, `sqs`, `servicebus`, `pubsub`, `nats`, `pulsar`, `postgres`,
   * or the job framework whose store it was found in (`bullmq`, `sidekiq`, `pg-boss` …).
   */
  readonly broker: string;
  /** The queue, topic, stream, table or key it was found in, by the broker's own name; null where nobody said. */
  readonly queue: string | null;
  /**
   * The bytes and headers. Message attributes (SQS, Pub/Sub, Service Bus, Pulsar) are its headers; what the broker itself
   * says of it, and the columns or fields of a job, are its properties.
   */
  readonly message: Message;
  readonly partition: number | null;
  /** The number the broker gave it: Kafka's offset, a stream's sequence. Not the one it had where it failed. */
  readonly offset: bigint | null;
  /** When the broker says it came to `queue`, in milliseconds since 1970. */
  readonly timestamp: number | null;
  /** How it came to `queue`, on brokers that route. The default exchange is "". */
  readonly exchange: string | null;
  readonly routingKey: string | null;
  /** The broker gave it out before. */
  readonly redelivered: boolean;
}

/** One run of the handler, as a letter tells of it. Null is "the letter does not say". */
export interface AttemptReading {
  /** Counts from 1. */
  readonly n: number | null;
  /** When it failed or, where that alone is written down, when it began; milliseconds since 1970. */
  readonly at: number | null;
  /** How long the message waited before it. */
  readonly waitMs: number | null;
  /** The service that ran it. */
  readonly consumer: string | null;
  /** Of that service. */
  readonly version: string | null;
  /** The instance or worker that ran it. */
  readonly process: string | null;
  readonly errorClass: string | null;
  readonly errorMessage: string | null;
  readonly errorCode: string | null;
  readonly httpStatus: number | null;
  /** `crashed`: its process died, so nothing else is known of it. */
  readonly outcome: "retried" | "crashed" | "dead_lettered";
}

/** What a dead letter says of itself. Null is "not known from the letter alone": honest, where a guess would be a bug. */
export interface LetterReading {
  /** Whose marks it carries, the one that the failure was read from first; empty when nobody's. */
  readonly dialects: readonly string[];
  /** The queue or topic its first consumer took it from. */
  readonly source: string | null;
  /** Where it was in `source`. */
  readonly partition: number | null;
  readonly offset: bigint | null;
  /** The same, by the broker's own name for the place: `orders/3/48211`, the id of an entry, of a message. */
  readonly position: string | null;
  /** As the program that failed calls it: `com.shop.PaymentException`, `TypeError`. */
  readonly errorClass: string | null;
  readonly errorMessage: string | null;
  /** A symbol or number that came with the error and is not an HTTP status: `ECONNREFUSED`, `23505`. */
  readonly errorCode: string | null;
  readonly httpStatus: number | null;
  readonly stack: string | null;
  /** Errors besides that one, the newest last: of earlier attempts, and what another mark on the letter tells. */
  readonly earlierErrors: readonly EarlierError[];
  /** How often the handler ran; 0 where it is known that it never did. */
  readonly attempts: number | null;
  /** Those attempts one by one, as far as the letter tells of more than the last; null where it does not. */
  readonly attemptLog: readonly AttemptReading[] | null;
  /** When the message was first sent, in milliseconds since 1970, as its sender or its broker says. */
  readonly enqueuedAt: number | null;
  /** Milliseconds since 1970. */
  readonly firstFailedAt: number | null;
  /** Milliseconds since 1970. */
  readonly lastFailedAt: number | null;
  /** When its time to live is over, at the latest, in milliseconds since 1970. */
  readonly expiresAt: number | null;
  readonly replay: ReplayRoute;
  /** The message as it was before it was given up, where a dialect wraps it; null where the letter's own body is it. */
  readonly payload: Uint8Array | null;
  /** Of the payload, or of the body where there is no other. */
  readonly contentType: string | null;
  readonly messageId: string | null;
  readonly idempotencyKey: string | null;
  readonly correlationId: string | null;
  readonly orderingKey: string | null;
  readonly tenant: string | null;
  /** The kind of message, by the name that its sender gives it, with a version where it has one. */
  readonly schema: string | null;
  /** Who consumed it: a service, a consumer group, a subscription. */
  readonly consumer: string | null;
  /** Of the consumer. */
  readonly consumerVersion: string | null;
  /** The handler, task or job that ran. */
  readonly handler: string | null;
  /** The machine or pod it ran on. */
  readonly host: string | null;
  /** The process, instance or worker there. */
  readonly process: string | null;
}

/** How a letter goes back to be processed again. */
export interface ReplayRoute {
  /** The queue or topic to send it to. */
  readonly destination: string | null;
  /** Other queues whose consumers refused it too: which of them it is to go back to is not in the letter. */
  readonly alternatives: readonly string[];
  /** The route it took before, where the letter says; never a waiting room's. */
  readonly via: ReplayVia | null;
  /** Names of headers on this letter (of fields, where it is a job) that must not travel with it. */
  readonly strip: readonly string[];
}

export interface ReplayVia {
  /** The default exchange is "". */
  readonly exchange: string;
  readonly routingKey: string;
}

/** A reading in which nothing is known: what readers start from. */
export const emptyReading: LetterReading = {
  dialects: [],
  source: null,
  partition: null,
  offset: null,
  position: null,
  errorClass: null,
  errorMessage: null,
  errorCode: null,
  httpStatus: null,
  stack: null,
  earlierErrors: [],
  attempts: null,
  attemptLog: null,
  enqueuedAt: null,
  firstFailedAt: null,
  lastFailedAt: null,
  expiresAt: null,
  replay: { destination: null, alternatives: [], via: null, strip: [] },
  payload: null,
  contentType: null,
  messageId: null,
  idempotencyKey: null,
  correlationId: null,
  orderingKey: null,
  tenant: null,
  schema: null,
  consumer: null,
  consumerVersion: null,
  handler: null,
  host: null,
  process: null,
};
