import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag } from "../flags.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { sourceAndQueue } from "./drain.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

export const queuesPeekCommand = command({
  name: "queues peek",
  summary: "the first messages of a dead-letter queue, read where they lie; nothing is taken",
  examples: [
    { line: "dlo queues peek kafka-eu/orders.DLT", about: "ten of them, as letters would be made of them" },
    { line: "dlo queues peek pg/orders.dlq --limit 50 --json", about: "for a program: { source, queue, items }" },
  ],
  details: [
    "Each is read and classified as a drain would, and masked as letters are. Nothing is kept, and at the broker nothing changes: no " +
      "position, no count of deliveries. What the office has taken already is passed over.",
    "Kafka, Redis, NATS, PostgreSQL and job frameworks can be looked into so. RabbitMQ and SQS show a message only by handing it out, " +
      "which counts: there it is refused.",
    "A body of more than 128 KiB is not read.",
  ],
  operand: { placeholder: "SOURCE/QUEUE", about: "a source, and its dead-letter queue", required: true },
  flags: {
    ...ledgerFlags,
    limit: numberFlag({ about: "how many at most", default: 10, min: 1, max: 50, integer: true }),
  },

  async run({ operand, json, limit, ...values }, context) {
    const place = sourceAndQueue(operand ?? "");
    return withOffice(values, context, async ({ ask }) => {
      const found = await ask("queues.peek", { ...place, limit });
      if (json) context.print(JSON.stringify(found));
      else print(found, context);
      return exit.done;
    });
  },
});

type Found = OutputOf<"queues.peek">;

function print(found: Found, context: Context): void {
  for (const [index, item] of found.items.entries()) context.print(drawing(item, index + 1, context));
  context.note(summary(found));
}

function summary({ items, queue }: Found): string {
  if (items.length === 0) return `Nothing lies in ${visible(queue)} that the office has not taken.`;
  return `${showCount(items.length, "message")}, still there. Nothing was taken.`;
}

/** How much of a body a person reads at a glance, in characters. */
const glance = 300;

function drawing(item: Found["items"][number], n: number, { terminal, when }: Context): string {
  const { category, queue, attempts, failedAt, sizeBytes, position } = item;
  const facts = [
    visible(queue),
    ...(attempts === null ? [] : [showCount(attempts, "attempt")]),
    ...(failedAt === null ? [] : [`failed ${when(failedAt)}`]),
    `${showNumber(sizeBytes)} bytes`,
    ...(position === null ? [] : [`at ${visible(position)}`]),
  ];
  const heading = `${n}  ${terminal.paint("bold", category)}  ${visible(errorOf(item))}`;
  return [heading, ...[facts.join(" · "), bodyOf(item)].map((line) => `   ${line}`)].join("\n");
}

function errorOf({ errorClass, errorMessage, why }: Found["items"][number]): string {
  const said = [errorClass, errorMessage].filter((each) => each !== null).join(": ");
  return said === "" ? why : said;
}

function bodyOf({ body: { kind, text, isCut } }: Found["items"][number]): string {
  if (kind === "too_large") return "(a body too large to look at)";
  if (text === null) return "(a body that is no text)";
  return isCut || text.length > glance ? `${visible(text.slice(0, glance))} …` : visible(text);
}
