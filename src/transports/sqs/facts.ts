import type { SqsConnection } from "./connection.ts";
import { nameInArn } from "./queue-names.ts";

/** A queue as SQS knows it. */
export interface QueueFacts {
  readonly name: string;
  readonly url: string;
  /** Messages that wait, are in flight, or are delayed. All three are approximate, and up to a minute old. */
  readonly depth: number;
  readonly retentionMs: number | null;
  readonly redrive: Redrive | null;
}

/** Where SQS moves what was received too often. */
export interface Redrive {
  readonly target: string;
  readonly arn: string;
  readonly maxReceiveCount: number;
}

export async function readQueue(connection: SqsConnection, name: string, url: string): Promise<QueueFacts> {
  const { Attributes: facts = {} } = await connection.ask(`sqs:GetQueueAttributes of ${name}`, (client) =>
    client.getQueueAttributes({ QueueUrl: url, AttributeNames: ["All"] }),
  );
  const counted = [
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
  ];
  const retention = facts.MessageRetentionPeriod;
  return {
    name,
    url,
    depth: counted.reduce((sum, count) => sum + Number(facts[count as keyof typeof facts] ?? 0), 0),
    retentionMs: retention === undefined ? null : Number(retention) * 1_000,
    redrive: redriveIn(facts.RedrivePolicy),
  };
}

/** As people write it by hand: the number may be a text. */
function redriveIn(policy: string | undefined): Redrive | null {
  if (policy === undefined || policy === "") return null;
  try {
    const { deadLetterTargetArn, maxReceiveCount } = JSON.parse(policy) as Readonly<Record<string, unknown>>;
    if (typeof deadLetterTargetArn !== "string") return null;
    return {
      target: nameInArn(deadLetterTargetArn),
      arn: deadLetterTargetArn,
      maxReceiveCount: Number(maxReceiveCount),
    };
  } catch {
    return null;
  }
}

/** URLs of all queues, up to `most`. */
export async function listQueues(
  connection: SqsConnection,
  most: number,
): Promise<{ readonly urls: readonly string[]; readonly isCut: boolean }> {
  const urls: string[] = [];
  let next: string | undefined;
  do {
    const page = { MaxResults: 1_000, ...(next !== undefined && { NextToken: next }) };
    const { QueueUrls = [], NextToken } = await connection.ask("sqs:ListQueues", (client) => client.listQueues(page));
    urls.push(...QueueUrls);
    next = NextToken;
  } while (next !== undefined && urls.length < most);
  return { urls: urls.slice(0, most), isCut: next !== undefined || urls.length > most };
}
