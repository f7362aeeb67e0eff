import { OfficeError } from "../../domain/errors.ts";
import { type Address, queueName } from "../../domain/message.ts";

const fifoEnding = ".fifo";
/** What SQS allows in a name, beside the ending of a FIFO queue. */
const allowed = /^[\w-]+$/u;
const longestName = 80;

/**
 * How a queue is called at SQS, which knows no dots: `orders.dlq` is `orders-dlq`, and of a FIFO queue `orders-dlq.fifo`,
 * whether the queue is called `orders` or `orders.fifo` in the program.
 */
export function sqsName(address: Address, fifo: boolean): string {
  const name = queueName(address);
  const spelled = name.replaceAll(/\.fifo(?=\.|$)/gu, "").replaceAll(".", "-");
  const full = spelled + (fifo ? fifoEnding : "");
  if (allowed.test(spelled) && full.length <= longestName) return full;
  const sentence =
    `\`${name}\` cannot be a queue of SQS (it would be called \`${full}\`): names have letters, digits, - and _, ` +
    `and at most ${longestName} of them with the endings for dead letters. Name the queue otherwise.`;
  throw new OfficeError("INVALID_OPTION", sentence, { details: { queue: name } });
}

export function isFifoName(name: string): boolean {
  return name.endsWith(fifoEnding);
}

/** The queue in `arn:aws:sqs:eu-west-1:111122223333:orders`. */
export function nameInArn(arn: string): string {
  return arn.split(":").at(-1) ?? arn;
}

/** The queue in `https://sqs.eu-west-1.amazonaws.com/111122223333/orders`. */
export function nameInUrl(url: string): string {
  return url.split("/").at(-1) ?? url;
}
