import type { Message as Received } from "@aws-sdk/client-sqs";
import type { TakeOptions } from "../pull-link.ts";
import { unknownAnswer } from "../unknown-answer.ts";
import type { SqsConnection } from "./connection.ts";
import { longestHiddenS } from "./waits.ts";

/** SQS gives ten messages with an answer, at most. */
const mostAtOnce = 10;
/** Requests of one take, at most. */
const requestsAtOnce = 10;

export interface ReceiverParts {
  readonly connection: SqsConnection;
  /** How long SQS waits for a message when it has none, in milliseconds. */
  readonly waitMs: number;
  readonly answerWithinMs: number;
}

interface Request {
  readonly max: number;
  readonly leaseS: number;
  readonly waitS: number;
}

/**
 * Receives messages. An empty queue is asked by one request that waits for a message; one that has more than a request
 * can bring is asked by several at once, which do not wait.
 */
export class Receiver {
  readonly #parts: ReceiverParts;
  readonly #busy = new Set<string>();

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
  }

  async receive(queue: string, max: number, { leaseMs, order }: TakeOptions): Promise<readonly Received[]> {
    // Of a group's messages all that fit come in one answer, and the second must not run before the first: so one each.
    const each = order === "key" ? 1 : Math.min(mostAtOnce, max);
    const leaseS = Math.min(longestHiddenS, Math.ceil(leaseMs / 1_000));
    if (this.#busy.has(queue)) return this.#several(queue, max, each, leaseS);
    const first = await this.#ask(queue, { max: each, leaseS, waitS: Math.floor(this.#parts.waitMs / 1_000) });
    if (first.length < each) return first;
    this.#busy.add(queue);
    if (first.length >= max) return first;
    // What has come is not to wait, or be lost, for what may be wrong with the rest.
    const more = await this.#several(queue, max - first.length, each, leaseS).catch(() => []);
    return [...first, ...more];
  }

  async #several(queue: string, max: number, each: number, leaseS: number): Promise<readonly Received[]> {
    const requests = Math.min(requestsAtOnce, Math.ceil(max / each));
    const sizes = Array.from({ length: requests }, (_, index) => Math.min(each, max - index * each));
    const asked = await Promise.allSettled(sizes.map((size) => this.#ask(queue, { max: size, leaseS, waitS: 0 })));
    const received = asked.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (received.length > 0) return received;
    this.#busy.delete(queue);
    const failed = asked.find((answer) => answer.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return [];
  }

  async #ask(queue: string, { max, leaseS, waitS }: Request): Promise<readonly Received[]> {
    const { connection, answerWithinMs } = this.#parts;
    const received = await connection.askOf(queue, "sqs:ReceiveMessage from", async (client, QueueUrl) => {
      const { Messages = [] } = await client.receiveMessage(
        {
          QueueUrl,
          MaxNumberOfMessages: max,
          VisibilityTimeout: leaseS,
          WaitTimeSeconds: waitS,
          MessageAttributeNames: ["All"],
          MessageSystemAttributeNames: ["All"],
        },
        { requestTimeout: answerWithinMs + waitS * 1_000 },
      );
      return Messages;
    });
    // Without its handle one could be neither acknowledged nor given back, and without its text it would be an empty message.
    const unreadable = received.find(({ ReceiptHandle, Body }) => ReceiptHandle === undefined || Body === undefined);
    if (unreadable !== undefined) throw unknownAnswer("SQS", "sqs:ReceiveMessage", [unreadable]);
    return received;
  }
}
