import { expect, it } from "vitest";
import { countsOf, planned, run, started } from "../replay/world.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRedis } from "../servers/redis.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRedis } from "../servers/use-redis.ts";
import { failJob } from "./failed-bullmq-job.ts";
import { jobsOffice } from "./jobs-office.ts";

describeServer("a job whose putting back nobody heard the end of", noRedis ?? noPostgres, () => {
  const redis = useRedis();
  const postgres = usePostgres();

  it("was put back if it does not fail any more, and has its turn again if it does", async () => {
    const queue = await failJob(redis.url, "doubt", "done");
    await failJob(redis.url, "doubt", "undone");
    const office = await jobsOffice(postgres, `broker: bullmq, url: "${redis.url}"`, "doubt_ledger");
    await office.drain("doubt");
    const letters = await office.letters();
    // The answer to the first is lost, and the second is never asked; each once.
    const lost = new Set<number>();
    const line: typeof office.parts.line = async (source, replay) => {
      const real = await office.parts.line(source, replay);
      return {
        ...real,
        // As if the time had passed in which the sender could still have done it.
        findOut: (sends) => real.findOut(sends.map((each) => ({ ...each, note: "0" }))),
        async send(to, message, intended) {
          const isFirst = !lost.has(intended.n);
          lost.add(intended.n);
          if (!isFirst || intended.n === 1) await real.send(to, message, intended);
          if (isFirst) throw new Error("The connection was lost.");
        },
      };
    };
    const parts = { ...office.parts, line };
    const replay = await planned(
      parts,
      letters.map(({ id }) => id),
    );
    await started(parts, replay);
    await run(parts, replay);
    expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 0, sent: 2, notYetSent: 0 });
    expect([await queue.getWaitingCount(), await queue.getFailedCount()]).toEqual([2, 0]);
    expect(lost.size).toBe(2);
  });
});
