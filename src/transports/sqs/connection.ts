import type { SQS } from "@aws-sdk/client-sqs";
import { askOnce } from "../../domain/ask-once.ts";
import { loadClient } from "../../domain/client-library.ts";
import { isOfficeError, OfficeError } from "../../domain/errors.ts";
import { isFifoName } from "./queue-names.ts";
import { refusalOf } from "./refusal.ts";
import { repeatingUndone } from "./undone.ts";

/** Who we are to AWS. */
export interface SqsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface SqsConnectionParts {
  /** Null: the one that the environment names. */
  readonly region: string | null;
  /** Null: Amazon's own. */
  readonly endpoint: string | null;
  /** Null: whatever AWS clients find (environment, profile, role). */
  readonly credentials: SqsCredentials | null;
  /** How long SQS may be silent, in milliseconds. */
  readonly answerWithinMs: number;
  /** Whether queues that are missing are made. */
  readonly makes: boolean;
  /** How often a request is made in all before its failure is told, if nothing was done. */
  readonly maxAttempts: number;
}

/** Fourteen days, which is the longest there is: a dead letter is gone after that. */
const retentionS = 1_209_600;

/** SQS in one region and account, by its client, which is loaded when it is first needed. */
export class SqsConnection {
  readonly #parts: SqsConnectionParts;
  readonly #urls = new Map<string, Promise<string>>();
  #client: Promise<SQS> | null = null;
  #closed = false;

  constructor(parts: SqsConnectionParts) {
    this.#parts = parts;
  }

  /** `what` says what is asked, for whoever reads the refusal. */
  async ask<Answer>(what: string, call: (client: SQS) => Promise<Answer>): Promise<Answer> {
    const client = await this.#connected();
    try {
      return await call(client);
    } catch (error) {
      throw refusalOf(error, what);
    }
  }

  /** Where a queue is; it is made if it is missing and may be made. */
  urlOf(name: string): Promise<string> {
    return askOnce(this.#urls, name, () => this.#find(name));
  }

  /** The same, for one question about it: a queue that is gone meanwhile is looked for again the next time. */
  async askOf<Answer>(
    name: string,
    what: string,
    call: (client: SQS, url: string) => Promise<Answer>,
  ): Promise<Answer> {
    const url = await this.urlOf(name);
    try {
      return await this.ask(`${what} ${name}`, (client) => call(client, url));
    } catch (error) {
      if (!isOfficeError(error, "QUEUE_NOT_FOUND")) throw error;
      this.#urls.delete(name);
      if (!this.#parts.makes) throw error;
      throw new OfficeError("TRANSPORT_UNAVAILABLE", `The queue ${name} is gone. It is made again.`, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => null);
    client?.destroy();
  }

  async #find(name: string): Promise<string> {
    const url = await this.ask(`sqs:GetQueueUrl of ${name}`, async (client) => {
      const { QueueUrl } = await client.getQueueUrl({ QueueName: name });
      return QueueUrl ?? null;
    }).catch((error: unknown) => {
      if (this.#parts.makes && isOfficeError(error, "QUEUE_NOT_FOUND")) return null;
      throw error;
    });
    return url ?? this.#make(name);
  }

  #make(name: string): Promise<string> {
    const fifo = { FifoQueue: "true", DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" };
    const Attributes = { MessageRetentionPeriod: String(retentionS), ...(isFifoName(name) ? fifo : {}) };
    return this.ask(`sqs:CreateQueue of ${name}`, async (client) => {
      const { QueueUrl = "" } = await client.createQueue({ QueueName: name, Attributes });
      return QueueUrl;
    });
  }

  #connected(): Promise<SQS> {
    if (this.#closed) throw new OfficeError("TRANSPORT_CLOSED", "The connection to SQS is closed.");
    this.#client ??= this.#open().catch((error: unknown) => {
      // Asked again next time: the package may be there by then.
      this.#client = null;
      throw error;
    });
    return this.#client;
  }

  async #open(): Promise<SQS> {
    const { region, endpoint, credentials, answerWithinMs, maxAttempts } = this.#parts;
    const { SQS: Client } = await loadClient("SQS", "@aws-sdk/client-sqs", () => import("@aws-sdk/client-sqs"));
    return new Client({
      retryStrategy: repeatingUndone(maxAttempts),
      requestHandler: {
        ...{ connectionTimeout: answerWithinMs, requestTimeout: answerWithinMs },
        throwOnRequestTimeout: true,
      },
      // A server of one's own takes any region; the client insists on one.
      ...(endpoint === null ? {} : { endpoint, region: "us-east-1" }),
      ...(region === null ? {} : { region }),
      ...(credentials === null ? {} : { credentials }),
    });
  }
}
