import { z } from "zod";
import { countArrivals } from "../../ledger/count-arrivals.ts";
import { countReplays } from "../../ledger/read-replay.ts";
import { replayStates } from "../../ledger/replay-record.ts";
import { countQueues, oldestPerQueue } from "../../ledger/search/count-queues.ts";
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
    /** The oldest open letter of each queue. */
    oldest: z.array(z.object({ ...queue, ageS: z.number() })),
    /** All that ever came. */
    arrived: z.array(z.object({ ...queue, n: z.number() })),
    replays: z.array(z.object({ state: z.enum(replayStates), n: z.number() })),
    /** Of this process: statements that wait for a connection. */
    databaseWaits: z.number(),
  }),
  async run({ ledger, clock, self }) {
    const now = clock.now();
    const [letters, oldest, arrived, replays] = [
      await countQueues(ledger),
      await oldestPerQueue(ledger),
      await countArrivals(ledger),
      await countReplays(ledger),
    ];
    return {
      letters: letters.map((each) => ({ ...each })),
      oldest: oldest.map(({ arrivedAt, ...of }) => ({
        ...of,
        ageS: Math.max(0, (now - Date.parse(arrivedAt)) / 1_000),
      })),
      arrived: arrived.map((each) => ({ ...each })),
      replays: replays.map((each) => ({ ...each })),
      databaseWaits: self.databaseWaits(),
    };
  },
});
