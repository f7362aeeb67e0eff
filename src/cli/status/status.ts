import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { type AtWork, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { underWay, vitalsOf } from "../top/look.ts";
import { drawStatus } from "./draw-status.ts";

export const statusCommand = command({
  name: "status",
  summary: "how things are on one screen: the office itself, what it drains, letters, breakers, replays",
  examples: [
    { line: "dlo status", about: "what troubles it stands beside what it troubles" },
    { line: "dlo status --json", about: "for a program" },
  ],
  details: [
    "What is drained, heard and told is said by the process that answers; letters, breakers and replays are of the whole office.",
  ],
  flags: ledgerFlags,

  async run({ json, ...values }, context: Context) {
    return withOffice(values, context, async (work) => {
      const status = await statusOf(work);
      context.print(json ? JSON.stringify(status) : drawStatus(status, context));
      return exit.done;
    });
  },
});

export interface WholeStatus extends ReturnType<typeof vitalsOf> {
  readonly place: string;
  readonly office: OutputOf<"status.get">;
  readonly replays: OutputOf<"replays.list">["items"];
  /** Null for somebody to whom not all queues are shown. */
  readonly breakers: OutputOf<"breakers.list">["items"] | null;
}

async function statusOf({ ask, place }: AtWork): Promise<WholeStatus> {
  const [office, queues, replays, breakers] = await Promise.all([
    ask("status.get", {}),
    ask("queues.list", {}),
    ask("replays.list", { states: [...underWay], limit: 20 }),
    ask("breakers.list", {}).catch(() => null),
  ]);
  return { place, office, ...vitalsOf(queues), replays: replays.items, breakers: breakers?.items ?? null };
}
