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
  /** How often a request is made in all before its failure is told. */
  readonly maxAttempts: number;
}

/** Fourteen days, which is the longest there is: a dead letter is gone after that. */
const retentionS = 1_209_600;

/** The client, and one for what must not be done twice, on the same sockets. */
interface Clients {
  readonly client: SQS;
  readonly cautious: SQS;
}

interface AskOptions {
  /** Whether it is asked again only where nothing was done. @default false */
  readonly isOnce?: boolean;
}

/** SQS in one region and account, by its client, which is loaded when it is first needed. */
export class SqsConnection {
  readonly #parts: SqsConnectionParts;
  readonly #urls = new Map<string, Promise<string>>();
  #clients: Promise<Clients> | null = null;
  #closed = false;

  constructor(parts: SqsConnectionParts) {
    this.#parts = parts;
  }

  /** `what` says what is asked, for whoever reads the refusal. */
  async ask<Answer>(
    what: string,
    call: (client: SQS) => Promise<Answer>,
    { isOnce = false }: AskOptions = {},
  ): Promise<Answer> {
    const { client, cautious } = await this.#connected();
    try {
      return await call(isOnce ? cautious : client);
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
    options?: AskOptions,
  ): Promise<Answer> {
    const url = await this.urlOf(name);
    try {
      return await this.ask(`${what} ${name}`, (client) => call(client, url), options);
    } catch (error) {
      if (!isOfficeError(error, "QUEUE_NOT_FOUND")) throw error;
      this.#urls.delete(name);
      if (!this.#parts.makes) throw error;
      throw new OfficeError("TRANSPORT_UNAVAILABLE", `The queue ${name} is gone. It is made again.`, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const clients = await this.#clients?.catch(() => null);
    clients?.client.destroy();
    clients?.cautious.destroy();
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

  #connected(): Promise<Clients> {
    if (this.#closed) throw new OfficeError("TRANSPORT_CLOSED", "The connection to SQS is closed.");
    this.#clients ??= this.#open().catch((error: unknown) => {
      // Asked again next time: the package may be there by then.
      this.#clients = null;
      throw error;
    });
    return this.#clients;
  }

  async #open(): Promise<Clients> {
    const { region, endpoint, credentials, answerWithinMs, maxAttempts } = this.#parts;
    const { SQS: Client } = await loadClient("SQS", "@aws-sdk/client-sqs", () => import("@aws-sdk/client-sqs"));
    const place = {
      // A server of one's own takes any region; the client insists on one.
      ...(endpoint === null ? {} : { endpoint, region: "us-east-1" }),
      ...(region === null ? {} : { region }),
      ...(credentials === null ? {} : { credentials }),
    };
    const limits = { connectionTimeout: answerWithinMs, requestTimeout: answerWithinMs, throwOnRequestTimeout: true };
    const client = new Client({ ...place, maxAttempts, requestHandler: limits });
    const { requestHandler } = client.config;
    return { client, cautious: new Client({ ...place, requestHandler, retryStrategy: repeatingUndone(maxAttempts) }) };
  }
}
