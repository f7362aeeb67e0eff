import { z } from "zod";
import type { Scope } from "../../domain/actor.ts";
import { duties } from "../../domain/duty.ts";
import { groupedBy } from "../../domain/grouped-by.ts";
import { countArrivals } from "../../ledger/count-arrivals.ts";
import { countReplays } from "../../ledger/read-replay.ts";
import { replayStates } from "../../ledger/replay-record.ts";
import { type RetentionState, readRetention } from "../../ledger/retention-turn.ts";
import { countQueues, oldestPerQueue } from "../../ledger/search/count-queues.ts";
import { countKeys } from "../keys/count-keys.ts";
import { type OfficeWork, workOfOffice } from "../told-work.ts";
import { operation } from "./operation.ts";

const queue = { source: z.string(), queue: z.string() };

export const getFigures = operation({
  name: "figures.get",
  summary: "what can be counted, for a monitor: letters, the oldest, arrivals, replays; /metrics has the same as text",
  role: "viewer",
  isScoped: true,
  input: z.object({}),
  output: z.object({
    letters: z.array(z.object({ ...queue, category: z.string(), state: z.string(), n: z.number() })),
    /** The oldest open letter of each queue, since it failed. */
    oldest: z.array(z.object({ ...queue, ageS: z.number() })),
    /** All that ever came. */
    arrived: z.array(z.object({ ...queue, n: z.number() })),
    replays: z.array(z.object({ state: z.enum(replayStates), n: z.number() })),
    /** Processes that live, by what they do. */
    processes: z.array(z.object({ duty: z.enum(duties), n: z.number() })),
    /** How many processes drain each queue, and for how long none has been able to. */
    drains: z.array(z.object({ ...queue, processes: z.number(), troubledS: z.number() })),
    /** Keys of ordered queues that wait, by what the first message of each is at. */
    keys: z.array(
      z.object({
        ...queue,
        state: z.enum(["waiting", "parked", "released", "dead"]),
        n: z.number(),
        /** Messages that wait behind those. */
        behind: z.number(),
        /** Since the one that waits longest was blocked. */
        oldestS: z.number(),
      }),
    ),
    /** Sources whose blocked keys could not be asked for; of all queues only. */
    keysUnchecked: z.array(z.string()),
    /** Of all runs of retention; null where only some queues are shown. */
    retention: z
      .object({
        ...{ expired: z.number(), removed: z.number() },
        /** In seconds since 1970; null: none came to its end, or the next is due. */
        ...{ lastAtS: z.number().nullable(), nextAtS: z.number().nullable() },
      })
      .nullable(),
    /** Of this process: statements that wait for a connection. */
    databaseWaits: z.number(),
  }),
  async run(office) {
    const { ledger, clock, self } = office;
    const now = clock.now();
    const [letters, oldest, arrived, replays] = [
      await countQueues(ledger),
      await oldestPerQueue(ledger),
      await countArrivals(ledger),
      await countReplays(ledger),
    ];
    const keys = await countKeys(office);
    return {
      keys: keys.counts.map(({ since, keys: n, ...of }) => ({ ...of, n, oldestS: Math.max(0, (now - since) / 1_000) })),
      keysUnchecked: ledger.scope.length === 0 ? [...keys.silent] : [],
      letters: letters.map((each) => ({ ...each })),
      oldest: oldest.map(({ failedAt, ...of }) => ({
        ...of,
        ageS: Math.max(0, (now - Date.parse(failedAt)) / 1_000),
      })),
      arrived: arrived.map(({ source, queue, n }) => ({ source, queue, n })),
      replays: replays.map((each) => ({ ...each })),
      ...workFigures(await workOfOffice(office), ledger.scope, now),
      retention: ledger.scope.length === 0 ? retentionFigures(await readRetention(ledger)) : null,
      databaseWaits: self.databaseWaits(),
    };
  },
});

function retentionFigures({ last, nextAt, totals }: RetentionState) {
  const seconds = (at: string | null) => (at === null ? null : Date.parse(at) / 1_000);
  return {
    ...{ expired: totals.expired, removed: totals.letters },
    ...{ lastAtS: seconds(last?.at ?? null), nextAtS: seconds(nextAt) },
  };
}

/** The same whichever process is asked, but for the seconds until a heartbeat has told of what is new. */
function workFigures({ processes, drains }: OfficeWork, scope: Scope, now: number) {
  const living = scope.length === 0 ? processes.filter(({ lives }) => lives) : [];
  const places = groupedBy(drains, ({ source, queue }) => JSON.stringify([source, queue]));
  return {
    processes:
      living.length === 0
        ? []
        : duties.map((duty) => ({ duty, n: living.filter((each) => each.duties.includes(duty)).length })),
    drains: [...places.values()].flatMap((each) => {
      const [one] = each;
      if (one === undefined) return [];
      const well = each.filter(({ troubledSince }) => troubledSince === null).length;
      const since = Math.max(...each.map(({ troubledSince }) => troubledSince ?? 0));
      const troubledS = well > 0 ? 0 : Math.max(0, (now - since) / 1_000);
      return [{ source: one.source, queue: one.queue, processes: well, troubledS }];
    }),
  };
}
