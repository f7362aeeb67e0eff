import type { QueueFacts } from "../../transports/sqs/facts.ts";
import type { Remedies } from "../../wiring/finding.ts";
import type { WiredQueue } from "../../wiring/wiring.ts";
import { setAttributes } from "./sqs-wiring.ts";

/** The longest there is: 14 days. */
const MessageRetentionPeriod = "1209600";

/** Commands of the AWS command line. Pure. */
export function sqsRemedies(queues: readonly QueueFacts[]): Remedies {
  const byName = new Map(queues.map((queue) => [queue.name, queue]));
  const urlOf = ({ name }: WiredQueue) => byName.get(name)?.url ?? name;
  return {
    "letters.retention": (queue) => setAttributes(urlOf(queue), { MessageRetentionPeriod }),
    "letters.expiring": (queue) => setAttributes(urlOf(queue), { MessageRetentionPeriod }),
    "queue.no_dead_letters": ({ name }) => {
      const letters = letterName(name);
      return `${byName.has(letters) ? "" : `${makeQueue(letters)}\n`}Then name its ARN in the queue's RedrivePolicy, with a maxReceiveCount of 10.`;
    },
    "dead_letters.target_missing": ({ name }) => makeQueue(byName.get(name)?.redrive?.target ?? letterName(name)),
  };
}

function letterName(name: string): string {
  return name.endsWith(".fifo") ? name.replace(/\.fifo$/u, "-dlq.fifo") : `${name}-dlq`;
}

function makeQueue(name: string): string {
  const fifo = name.endsWith(".fifo") ? ",FifoQueue=true" : "";
  return `aws sqs create-queue --queue-name ${name} --attributes MessageRetentionPeriod=${MessageRetentionPeriod}${fifo}`;
}
