import { OfficeError } from "../../domain/errors.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Command, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { sourceAndQueue } from "./drain.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

type Mode = "observe" | "drain";

const operand = { placeholder: "SOURCE/QUEUE", about: "a source, and its dead-letter queue", required: true } as const;

/** A command that changes what is done with one dead-letter queue of a source that was connected while the office ran. */
function modeCommand(verb: string, mode: Mode, summary: string, done: string): Command<typeof ledgerFlags> {
  return command({
    ...{ name: `queues ${verb}`, alias: `queues drain ${verb}`, summary, operand, flags: ledgerFlags },
    examples: [{ line: `dlo queues ${verb} rabbit-eu/orders.dlq`, about: summary }],
    details: [
      "It is for sources that were connected in the web UI. One that stands in the configuration is changed there, by the `mode` of " +
        "its queue.",
    ],
    run: ({ operand: named, json, ...values }, context) =>
      withOffice(values, context, async ({ ask }) => {
        const { source, queue } = sourceAndQueue(named ?? "");
        const { items } = await ask("sources.list", {});
        const queues = withMode(items, { source, queue, mode });
        await ask("sources.change", { name: source, queues });
        context.print(json ? JSON.stringify({ source, queue, mode }) : `${source}/${queue} ${done}.`);
        return exit.done;
      }),
  });
}

interface Rule {
  readonly match: string;
  readonly mode: Mode;
}

interface Wanted {
  readonly source: string;
  readonly queue: string;
  readonly mode: Mode;
}

/** The first that matches holds, so that what is said of one queue stands before what is said of many. */
export function withMode(sources: Sources, { source, queue, mode }: Wanted): Rule[] {
  const found = sources.find(({ name }) => name === source);
  if (found === undefined)
    throw new OfficeError("SOURCE_NOT_FOUND", `There is no source \`${source}\`. \`dlo sources\` lists them.`);
  const others = found.queues
    .filter(({ match }) => match !== queue)
    .map(({ match, mode: other }): Rule => ({ match, mode: other === "drain" ? "drain" : "observe" }));
  return [{ match: queue, mode }, ...others];
}

type Sources = readonly Pick<OutputOf<"sources.list">["items"][number], "name" | "queues">[];

export const queuesPauseCommand = modeCommand(
  "pause",
  "observe",
  "drains a dead-letter queue no more; what comes stays in the broker",
  "is drained no more",
);
export const queuesResumeCommand = modeCommand(
  "resume",
  "drain",
  "drains a dead-letter queue again",
  "is drained from now on",
);
