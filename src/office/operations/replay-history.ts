import { z } from "zod";
import { readId, showId } from "../../domain/ids.ts";
import { clocksDifferByMs, searchAudit, type WrittenEntry } from "../../ledger/read-audit.ts";
import { readReplay } from "../../ledger/read-replay.ts";
import { auditSentence } from "../audit/audit-words.ts";
import { operation } from "./operation.ts";

const happened = z.object({
  /** Of the entry in the audit log. */
  n: z.number(),
  at: z.string(),
  action: z.string(),
  /** Who did what with it, in words. */
  text: z.string(),
});

/** What is found out after its end, such as what became of letters in doubt, is found out within that time. */
const afterwardsMs = 7 * 86_400_000;
const toldAtMost = 500;

export const getReplayHistory = operation({
  name: "replays.history",
  summary: "all that was done with a replay, oldest first: planned, approved, paused, halted, resumed, by whom and why",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: z.object({ items: z.array(happened) }),
  async run({ ledger }, { id }) {
    // Who may see a replay may see what was done with it: its entries name no queue.
    const { id: replay, frozenAt, endedAt } = await readReplay(ledger, ledger.database, { id: readId("replay", id) });
    const whole = showId("replay", replay);
    const during = { from: frozenAt - clocksDifferByMs, to: endedAt === null ? null : endedAt + afterwardsMs };
    const filter = { action: "replay", about: whole, ...during, before: null, limit: toldAtMost };
    const { entries } = await searchAudit({ ...ledger, scope: [] }, filter);
    return { items: entries.map((entry) => told(entry, whole)).reverse() };
  },
});

interface Entry extends Readonly<Record<string, unknown>> {
  readonly at: string;
  readonly actor: { readonly id: string };
  readonly action: string;
}

/** Beside its own name a replay is "it". */
function told({ n, text }: WrittenEntry, replay: string): z.input<typeof happened> {
  const { at, actor, action, ...details } = JSON.parse(text) as Entry;
  const sentence = auditSentence(action, details);
  const isOfItself = sentence.startsWith(replay);
  const said = sentence.replace(replay, "it");
  return { n, at, action, text: isOfItself ? said : `${actor.id} ${said}` };
}
