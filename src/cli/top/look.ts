import { isOfficeError } from "../../domain/errors.ts";
import type { OutputOf } from "../../http/client.ts";
import type { AtWork } from "../ledger/ledger-flags.ts";

/** Replays that somebody waits for. */
export const underWay = ["running", "settling", "paused", "halted", "awaiting_approval"] as const;
/** As many as the inbox gives at once. */
const groupsAtMost = 200;

/** Everything on the screen, of one moment. */
export async function look({ ask, place }: AtWork) {
  const [inbox, queues, replays, breakers, status] = await Promise.all([
    ask("inbox.list", { limit: groupsAtMost }),
    ask("queues.list", {}),
    ask("replays.list", { states: [...underWay], limit: 10 }),
    ifShown(async () => (await ask("breakers.list", {})).items),
    ask("status.get", {}),
  ]);
  return {
    place,
    at: status.now,
    stopped: status.stopped,
    ...vitalsOf(queues),
    groups: inbox.items,
    openGroups: inbox.openGroups,
    replays: replays.items,
    /** The names of those that are open; null where nobody says, as to whom not all queues are shown. */
    breakers: breakers?.filter(({ state }) => state === "open").map(({ name }) => name) ?? null,
  };
}

/** Null for somebody to whom not all queues are shown. Any other failure is one: it must not look as if none were open. */
export async function ifShown<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    if (isOfficeError(error, "NOT_ALLOWED")) return null;
    throw error;
  }
}

export type Look = Awaited<ReturnType<typeof look>>;

/** Of all queues, as the inbox of the web UI has them. */
export function vitalsOf({ counts, oldest, failures }: OutputOf<"queues.list">) {
  const undecided = counts.filter(({ state }) => state === "open" || state === "returned");
  return {
    open: undecided.reduce((sum, { n }) => sum + n, 0),
    oldestOpenAt: oldest.map(({ failedAt }) => failedAt).sort()[0] ?? null,
    thisHour: failures.reduce((sum, { hours }) => sum + (hours.at(-1) ?? 0), 0),
  };
}
