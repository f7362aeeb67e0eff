import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRedis } from "../servers/redis.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRedis } from "../servers/use-redis.ts";
import { tellJobStory } from "./job-story.ts";
import { describeFramework, openProcessWorkshop } from "./process-workshop.ts";
import { programs, sidekiqAtWork } from "./programs.ts";

const servers = noRedis ?? noPostgres;

type Failed = (client: Redis) => Promise<readonly string[]>;

/** The names of failed jobs, as each keeps them. */
const failedIn = {
  rq: (client) => client.zrange("rq:failed:charges", "0", "-1"),
  dramatiq: async (client) => (await client.hvals("dramatiq:charges.XQ.msgs")).map(firstArgument),
  asynq: (client) => client.zrange("asynq:{charges}:archived", "0", "-1"),
  sidekiq: async (client) => (await client.zrange("dead", "0", "-1")).map(firstArgument),
} as const satisfies Readonly<Record<string, Failed>>;

function firstArgument(job: string): string {
  return (JSON.parse(job) as { readonly args: readonly string[] }).args[0] ?? "";
}

/** Each has a database of the server for itself: some of their names are the same for all queues. */
function tellStories(broker: keyof typeof failedIn, database: number): void {
  const redis = useRedis();
  const postgres = usePostgres();
  it("are read in place, put back, and run", async () => {
    const [queue, url] = ["charges", `${redis.url}/${database}`];
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    const shop = openProcessWorkshop({
      ...{ program: programs[broker], broker, queue, url, failed: () => failedIn[broker](client) },
      ...(broker === "sidekiq" ? { place: "dead", work: sidekiqAtWork(queue) } : {}),
      ...(broker === "dramatiq" ? { runs: null } : {}),
      ...(broker === "asynq" ? { apart: aSecondLater } : {}),
    });
    await tellJobStory(shop, postgres, `${broker}_ledger`);
  });
}

/** asynq keeps the second in which a task failed: another failure in the same one would be the same. */
async function aSecondLater(): Promise<void> {
  const second = () => Math.floor(Date.now() / 1_000);
  const now = second();
  await eventually(() => expect(second()).toBeGreaterThan(now));
}

describeFramework("failed jobs of RQ", programs.rq, servers, () => tellStories("rq", 1));
describeFramework("failed jobs of dramatiq", programs.dramatiq, servers, () => tellStories("dramatiq", 2));
describeFramework("failed jobs of asynq", programs.asynq, servers, () => tellStories("asynq", 3));
describeFramework("failed jobs of Sidekiq", programs.sidekiq, servers, () => tellStories("sidekiq", 4));
