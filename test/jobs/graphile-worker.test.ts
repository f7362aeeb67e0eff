import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { it, onTestFinished } from "vitest";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { type UsedPostgres, usePostgres } from "../servers/use-postgres.ts";
import { refused, tellJobStory, type Workshop } from "./job-story.ts";

async function openWorkshop({ url, pool }: UsedPostgres, place: string): Promise<Workshop> {
  const shop = { isDown: true, done: [] as string[], ids: new Map<string, string>() };
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString: url, logger });
  await utils.migrate();
  const work = async (payload: unknown) => {
    if (shop.isDown) throw refused();
    shop.done.push((payload as { readonly name: string }).name);
  };
  const runner = await run({ connectionString: url, logger, pollInterval: 100, taskList: { [place]: work } });
  onTestFinished(async () => {
    await runner.stop();
    await utils.release();
  });
  return {
    ...{ source: `broker: graphile-worker, url: "${url}"`, place, runs: 1, done: shop.done },
    async add(name) {
      shop.ids.set(name, (await utils.addJob(place, { name }, { maxAttempts: 1 })).id);
    },
    async failed() {
      const { rows } = await pool.query<{ name: string }>(
        "select payload ->> 'name' as name from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null",
      );
      return rows.map(({ name }) => name);
    },
    retry: async (name) =>
      void (await utils.rescheduleJobs([shop.ids.get(name) ?? ""], { runAt: new Date(), attempts: 0 })),
    mend() {
      shop.isDown = false;
    },
  };
}

describeServer("failed jobs of Graphile Worker", noPostgres, () => {
  const postgres = usePostgres();

  it("are read in place, put back, and run", async () => {
    await tellJobStory(await openWorkshop(postgres, "charge"), postgres, "graphile_ledger");
  });
});
