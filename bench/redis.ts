import { noRedis, redisBroker } from "../test/servers/redis.ts";
import { childVariant } from "./child-variant.ts";
import { type Ratio, type Suite, thenClose } from "./suite.ts";

const bareKeeping = "ioredis alone, XREADGROUP and XACK by the batch";
const bareDeleting = "ioredis alone, XREADGROUP, XACK and XDEL by the batch";
const keeping = "runtime, keeping what is acknowledged";
const deleting = "runtime, deleting what is acknowledged";
/** In several configurations: we are compared with whichever is fastest here. */
const bullMq = [
  "BullMQ, 1 worker, 50 at once, completed jobs removed",
  "BullMQ, 4 workers, 50 at once each, completed jobs removed",
];

/** How many messages a second one process gets through, beside the bare client that does the same work. */
export async function suite(): Promise<Suite> {
  if (noRedis !== undefined) throw new Error(noRedis);
  const broker = await redisBroker();
  // The children find it there.
  process.env.DLO_BENCH_REDIS_URL = broker.url;
  const file = new URL("./redis-variants.ts", import.meta.url);
  const alone = "transport alone, deleting what is acknowledged";
  const names = [bareKeeping, bareDeleting, keeping, deleting, alone, ...bullMq];
  return {
    about:
      "Redis: messages a second of 1 KB, from the first handled to the last, by one process and a handler that does\n" +
      "nothing; 10,000 at a time from a stream, 500 in hand, on a Redis that writes to disk before it answers.",
    unit: "messages/s",
    rounds: 7,
    variants: thenClose(
      names.map((name) => childVariant(name, file)),
      broker,
    ),
    ratios: [
      against(keeping, bareKeeping),
      against(deleting, bareDeleting),
      {
        name: `${deleting}, against BullMQ at its fastest`,
        value: (median) => median(deleting) / Math.max(...bullMq.map(median)),
        goal: 4,
        is: "at least",
      },
    ],
  };
}

function against(name: string, bare: string): Ratio {
  return {
    name: `${name}, against ${bare}`,
    value: (median) => median(name) / median(bare),
    goal: 0.9,
    is: "at least",
  };
}
