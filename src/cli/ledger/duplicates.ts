import { acceptanceGrounds } from "../../domain/acceptance-grounds.ts";
import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { choiceFlag, optional, textFlag } from "../flags.ts";
import type { ShowMoment } from "../terminal/moments.ts";
import { visible } from "../terminal/text.ts";
import { sourceAndQueue } from "./drain.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

type Acceptance = OutputOf<"queues.duplicates">["items"][number];

const operand = {
  placeholder: "SOURCE/QUEUE",
  about: "a source, and the queue that letters go to",
  required: true,
} as const;
const reasonFlag = textFlag({ placeholder: "TEXT", about: "why, for whoever looks later" });

export const queuesAcceptDuplicatesCommand = command({
  name: "queues accept-duplicates",
  summary: "accept that duplicates in a queue are not recognized",
  examples: [
    {
      line: "dlo queues accept-duplicates rabbit-eu/orders --because handled --reason 'by order id'",
      about: "its consumers handle duplicates",
    },
    {
      line: "dlo queues accept-duplicates rabbit-eu/cache --because harmless --reason 'only reads'",
      about: "processing a message twice changes nothing",
    },
  ],
  details: [
    "A letter without an idempotency key, or for consumers that report no idempotency, could be processed twice unnoticed. Until a " +
      "person accepts that for its queue, each plan with such letters needs an approval. Your name and reason are kept, and shown " +
      "with the queue, until someone revokes it.",
  ],
  operand,
  flags: {
    ...ledgerFlags,
    because: optional(
      choiceFlag({ about: "what makes duplicates acceptable", of: acceptanceGrounds, default: "handled" }),
      "must be given",
    ),
    reason: reasonFlag,
  },

  async run({ operand: named, because, reason, json, ...values }, context) {
    if (because === null) throw new UsageError("missing_value", "Say --because handled or --because harmless.");
    return withOffice(values, context, async ({ ask }) => {
      const place = sourceAndQueue(named ?? "");
      const accepted = await ask("queues.acceptDuplicates", { ...place, because, reason });
      context.print(json ? JSON.stringify(accepted) : acceptanceLine(accepted, context.when));
      return exit.done;
    });
  },
});

export const queuesRevokeDuplicatesCommand = command({
  name: "queues revoke-duplicates",
  summary: "no longer accept duplicates in a queue",
  examples: [
    {
      line: "dlo queues revoke-duplicates rabbit-eu/orders --reason 'charged twice'",
      about: "plans need approval again",
    },
  ],
  operand,
  flags: { ...ledgerFlags, reason: reasonFlag },

  async run({ operand: named, reason, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const place = sourceAndQueue(named ?? "");
      const revoked = await ask("queues.revokeDuplicates", { ...place, reason });
      const text = `Duplicates in ${visible(place.queue)} are not accepted any more.`;
      context.print(json ? JSON.stringify(revoked) : text);
      return exit.done;
    });
  },
});

/** `Consumers of orders handle duplicates, says ops-1 since 2026-11-19 20:00Z: by order id`. */
export function acceptanceLine({ queue, because, by, at, reason }: Acceptance, when: ShowMoment): string {
  const said =
    because === "handled"
      ? `Consumers of ${visible(queue)} handle duplicates`
      : `Duplicates do no harm in ${visible(queue)}`;
  return `${said}, says ${visible(by)} since ${when(at, "utc")}: ${visible(reason)}`;
}
