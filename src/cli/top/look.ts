import type { AtWork } from "../ledger/ledger-flags.ts";

const underWay = ["running", "settling", "paused", "halted", "awaiting_approval"] as const;
const groupsAtMost = 200;

/** Everything on the screen, of one moment. */
export async function look({ ask, place }: AtWork) {
  const [inbox, replays, breakers, status] = await Promise.all([
    ask("inbox.list", { limit: groupsAtMost }),
    ask("replays.list", { states: [...underWay], limit: 10 }),
    ask("breakers.list", {}).catch(() => ({ items: [] })),
    ask("status.get", {}),
  ]);
  const open = breakers.items.filter(({ state }) => state === "open").map(({ name }) => name);
  return {
    place,
    at: status.now,
    stopped: status.stopped,
    groups: inbox.items,
    replays: replays.items,
    breakers: open,
  };
}

export type Look = Awaited<ReturnType<typeof look>>;
