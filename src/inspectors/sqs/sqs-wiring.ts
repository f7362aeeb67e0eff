import type { QueueFacts } from "../../transports/sqs/facts.ts";
import { deadLetteringByName, lettersByName } from "../../wiring/letters-by-name.ts";
import { soundsDead } from "../../wiring/names.ts";
import {
  type DeadLettering,
  type Gap,
  type Hazard,
  keepsAll,
  type WiredQueue,
  type Wiring,
} from "../../wiring/wiring.ts";

export interface SqsFacts {
  readonly queues: readonly QueueFacts[];
  /** Names of queues that may not be looked at. */
  readonly unseen: readonly string[];
  /** Whether there are more queues than were looked at. */
  readonly isCut: boolean;
}

/** What a consumer of ours makes of a message unless it is told otherwise; a redrive policy is best above that. */
const usualAttempts = 5;

/** Queues and their redrive policies; without one, whose dead letters lie where is told by the names. Pure. */
export function sqsWiring({ queues, unseen, isCut }: SqsFacts): Wiring {
  const names = [...queues.map(({ name }) => name), ...unseen];
  const letters = lettersByPlainName(names);
  const cut = isCut ? [`queues beyond the first ${names.length}`] : [];
  return {
    product: "Amazon SQS",
    queues: [
      ...queues.map((queue) => wiredQueue(queue, new Set(names), letters.get(queue.name) ?? [])),
      ...unseen.map(unseenQueue),
    ].sort((a, b) => (a.name < b.name ? -1 : 1)),
    sees: ["redrive policies, and about how many messages are in each queue"],
    blindTo: ["how old the oldest message of a queue is: CloudWatch has it (ApproximateAgeOfOldestMessage)", ...cut],
    gaps: unseen.length === 0 ? [] : [missingRight(unseen)],
    hazards: queues.flatMap(givesUpEarly),
  };
}

/** `orders-dlq.fifo` belongs to `orders.fifo`. */
function lettersByPlainName(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const letters = new Map<string, readonly string[]>();
  for (const ending of [".fifo", ""]) {
    const group = names.filter((name) => name.endsWith(".fifo") === (ending !== "")).map((name) => plain(name));
    for (const [owner, found] of lettersByName(group)) {
      letters.set(
        owner + ending,
        found.map((name) => name + ending),
      );
    }
  }
  return letters;
}

function plain(name: string): string {
  return name.replace(/\.fifo$/u, "");
}

function wiredQueue(
  { name, depth, retentionMs, redrive }: QueueFacts,
  names: ReadonlySet<string>,
  letters: readonly string[],
): WiredQueue {
  const byName = letters.length > 0 && !soundsDead(plain(name)) ? deadLetteringByName(plain(name), letters) : null;
  return {
    name,
    depth,
    oldestAgeMs: null,
    isTemporary: false,
    deadLettering: redrive === null ? byName : redriven(redrive, names),
    keeping: { ...keepsAll, retentionMs },
    isOneAtATime: name.endsWith(".fifo"),
    deliveryLimit: redrive === null ? null : { deliveries: redrive.maxReceiveCount, isDefault: false },
  };
}

function redriven(
  { target, maxReceiveCount }: NonNullable<QueueFacts["redrive"]>,
  names: ReadonlySet<string>,
): DeadLettering {
  const isThere = names.has(target);
  const targets = isThere ? [target] : [];
  return {
    via: `redrive policy, after ${maxReceiveCount} ${maxReceiveCount === 1 ? "receive" : "receives"}`,
    targets,
    leaks: isThere ? [] : [`queue \`${target}\` does not exist here`],
    targetsAfterReplay: targets,
    unsure: null,
    afterMs: null,
    byBroker: true,
  };
}

function unseenQueue(name: string): WiredQueue {
  const nothing = { depth: null, oldestAgeMs: null, isTemporary: false, deliveryLimit: null };
  return { name, ...nothing, deadLettering: "unseen", keeping: keepsAll };
}

function missingRight(unseen: readonly string[]): Gap {
  const shown = unseen.slice(0, 3).join(", ");
  const more = unseen.length > 3 ? ` and ${unseen.length - 3} more` : "";
  return {
    kind: "missing",
    sentence: `These queues may not be looked at: ${shown}${more}.`,
    remedy: '{"Effect": "Allow", "Action": ["sqs:ListQueues", "sqs:GetQueueAttributes"], "Resource": "*"}',
  };
}

/** A crash of a consumer is a receive, too; so is each hand-over that a busy consumer gives back. */
function givesUpEarly({ name, url, redrive }: QueueFacts): Hazard[] {
  if (redrive === null || redrive.maxReceiveCount >= usualAttempts) return [];
  const policy = JSON.stringify({ deadLetterTargetArn: redrive.arn, maxReceiveCount: "10" });
  return [
    {
      kind: "gives-up-early",
      queue: name,
      sentence:
        `\`${name}\` moves a message to \`${redrive.target}\` once it was received ${redrive.maxReceiveCount} times, fewer than ` +
        `the ${usualAttempts} attempts of a consumer: restarts count, and such letters come without a word about why.`,
      remedy: setAttributes(url, { RedrivePolicy: policy }),
    },
  ];
}

/** A command to paste. */
export function setAttributes(url: string, attributes: Readonly<Record<string, string>>): string {
  const json = JSON.stringify(attributes).replaceAll("'", "'\\''");
  return `aws sqs set-queue-attributes --queue-url ${url} --attributes '${json}'`;
}
