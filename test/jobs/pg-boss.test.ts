import { PgBoss } from "pg-boss";
import { expect, it, onTestFinished } from "vitest";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import type { Database } from "../../src/domain/database.ts";
import type { Message } from "../../src/domain/message.ts";
import { orphanedCopies } from "../../src/jobs/pg-boss/orphaned-copies.ts";
import { pgBoss } from "../../src/jobs/pg-boss/pg-boss.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { type UsedPostgres, usePostgres } from "../servers/use-postgres.ts";
import { refused, tellJobStory, type Workshop } from "./job-story.ts";
import { putBack } from "./put-back.ts";

async function openBoss(postgres: UsedPostgres) {
  const boss = new PgBoss({ connectionString: postgres.url, supervise: false, schedule: false });
  boss.on("error", () => {});
  await boss.start();
  onTestFinished(() => boss.stop({ graceful: false }));
  return boss;
}

async function openWorkshop(postgres: UsedPostgres, place: string): Promise<Workshop> {
  const shop = { isDown: true, done: [] as string[], ids: new Map<string, string>() };
  const boss = await openBoss(postgres);
  await boss.createQueue(place, { retryLimit: 1, retryDelay: 0 });
  await boss.work<{ readonly name: string }>(place, { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (shop.isDown) throw refused();
    shop.done.push(job?.data.name ?? "");
  });
  return {
    ...{ source: `broker: pg-boss, url: "${postgres.url}"`, place, runs: 1, done: shop.done },
    async add(name) {
      shop.ids.set(name, (await boss.send(place, { name })) ?? "");
    },
    async failed() {
      const { rows } = await postgres.pool.query<{ name: string }>(
        "select data ->> 'name' as name from pgboss.job where name = $1 and state = 'failed'",
        [place],
      );
      return rows.map(({ name }) => name);
    },
    retry: async (name) => void (await boss.retry(place, shop.ids.get(name) ?? "")),
    mend() {
      shop.isDown = false;
    },
  };
}

/** A job that failed in a queue with dead letters. */
async function failedJob(postgres: UsedPostgres, queue: string, options: { readonly policy?: "exclusive" } = {}) {
  const boss = await openBoss(postgres);
  const dead = `${queue}-dead`;
  await boss.createQueue(dead);
  await boss.createQueue(queue, { retryLimit: 0, deadLetter: dead, ...options });
  const id = (await boss.send(queue, { order: "o-1" }, { singletonKey: "o-1" })) ?? "";
  await boss.fetch(queue);
  await boss.fail(queue, id, refused());
  const framework = pgBoss(postgres.database, {});
  const [job] = await framework.list(queue, null, 10);
  if (job === undefined) throw new Error("The job is failed.");
  return { boss, framework, job, dead };
}

function letterOf(message: Message) {
  const nowhere = { partition: null, offset: null, timestamp: null, exchange: null, routingKey: null };
  return { broker: "pg-boss", message, ...nowhere, redelivered: false };
}

/** The plans of all that is asked of the table of jobs. */
function explained(database: Database) {
  const plans: string[] = [];
  const query: Database["query"] = async (text, values) => {
    if (text.includes('"pgboss".job')) {
      const { rows } = await database.query<Readonly<Record<string, string>>>(`explain ${text}`, values);
      plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
    }
    return database.query(text, values);
  };
  return { plans, database: { ...database, query } };
}

describeServer("failed jobs of pg-boss", noPostgres, () => {
  const postgres = usePostgres();

  it("are read in place, put back, and run", async () => {
    await tellJobStory(await openWorkshop(postgres, "story"), postgres, "pgboss_ledger");
  });

  it("take their copy among the dead letters back with them, and run once", async () => {
    const { boss, framework, job, dead } = await failedJob(postgres, "copied");
    expect(await putBack(framework, job)).toBe("done");
    expect(await boss.fetch(dead)).toEqual([]);
    expect(await framework.standings([job])).toEqual(["pending"]);
    expect(await putBack(framework, job)).toBe("moved");
    expect(await boss.fetch("copied")).toMatchObject([{ id: job.id, data: { order: "o-1" } }]);
    await boss.fail("copied", job.id, refused());
    expect(await framework.standings([job])).toEqual(["over"]);
    expect(await framework.look("copied")).toEqual({ name: "copied", failed: 1, pending: 0 });
    expect(await boss.fetch(dead)).toHaveLength(1);
  });

  it("are kept for as long as if they were sent now: pg-boss deletes what waits for longer", async () => {
    const { boss, framework, job } = await failedJob(postgres, "old");
    const weeksAgo = "created_on = now() - interval '20 days', keep_until = now() - interval '6 days'";
    await postgres.pool.query(`update pgboss.job set ${weeksAgo} where id = $1`, [job.id]);
    expect(await putBack(framework, job)).toBe("done");
    await boss.supervise("old");
    expect(await framework.standings([job])).toEqual(["pending"]);
    expect(await boss.fetch("old")).toMatchObject([{ id: job.id }]);
  });

  it("stay when somebody works on their copy, or when another of their key has come", async () => {
    const taken = await failedJob(postgres, "worked-on");
    await taken.boss.fetch(taken.dead);
    expect(await putBack(taken.framework, taken.job)).toMatchObject({ why: expect.stringContaining("copy") as string });
    const rival = await failedJob(postgres, "rivals", { policy: "exclusive" });
    await rival.boss.send("rivals", { order: "o-1" }, { singletonKey: "o-1" });
    expect(await putBack(rival.framework, rival.job)).toMatchObject({
      why: expect.stringContaining("one such") as string,
    });
    expect(await rival.framework.standings([rival.job])).toEqual(["failed"]);
    expect(await rival.boss.fetch(rival.dead)).toHaveLength(1);
  });

  it("are the letters they were when pg-boss has deleted them and their copy is left, and are sent again in its place", async () => {
    const { boss, framework, job, dead } = await failedJob(postgres, "deleted");
    await postgres.pool.query("delete from pgboss.job where id = $1", [job.id]);
    const [left] = await framework.list("deleted", null, 10);
    expect([left?.id, left?.failedAt]).toEqual([job.id, job.failedAt]);
    if (left?.message == null) throw new Error("It is listed.");
    expect(framework.outlook(left.message)).toEqual({ kind: "runs", runs: 1 });
    expect(readDeadLetter({ ...letterOf(left.message), queue: "deleted" })).toMatchObject({
      ...{ source: "deleted", errorMessage: refused().message, messageId: job.id },
    });
    expect(await framework.look("deleted")).toEqual({ name: "deleted", failed: 1, pending: 0 });
    expect(await framework.standings([job])).toEqual(["failed"]);
    expect(await putBack(framework, job)).toBe("done");
    expect(await putBack(framework, job)).toBe("moved");
    expect(await framework.standings([job])).toEqual(["pending"]);
    expect(await boss.fetch(dead)).toEqual([]);
    expect(await boss.fetch("deleted")).toMatchObject([{ id: job.id, data: { order: "o-1" } }]);
    await boss.fail("deleted", job.id, refused());
    expect(await framework.list("deleted", null, 10)).toMatchObject([{ id: job.id }]);
  });

  it("stay when their copy is all that is left and their queue was deleted", async () => {
    const { boss, framework, job, dead } = await failedJob(postgres, "dissolved");
    await boss.deleteQueue("dissolved");
    expect(await putBack(framework, job)).toMatchObject({
      ...{ why: expect.stringContaining("queue") as string, change: expect.stringContaining("createQueue") as string },
    });
    expect(await framework.standings([job])).toEqual(["failed"]);
    await boss.createQueue("dissolved");
    expect(await putBack(framework, job)).toBe("done");
    expect(await boss.fetch(dead)).toEqual([]);
    expect(await boss.fetch("dissolved")).toMatchObject([{ id: job.id, data: { order: "o-1" } }]);
  });

  it("are found by their copies without reading the jobs of all queues", async () => {
    const { boss, job } = await failedJob(postgres, "needle");
    await postgres.pool.query("delete from pgboss.job where id = $1", [job.id]);
    await boss.createQueue("hay");
    await postgres.pool.query(
      "insert into pgboss.job (name, state) select 'hay', 'completed' from generate_series(1, 20000)",
    );
    await postgres.pool.query("analyze pgboss.job");
    const { plans, database } = explained(postgres.database);
    const copies = orphanedCopies(database, "pgboss");
    expect(await copies.look("needle")).toMatchObject({ failed: 1 });
    expect(await copies.list("needle", null, 10)).toMatchObject([{ id: job.id }]);
    expect(await copies.standings([job])).toEqual(["failed"]);
    expect(plans).toHaveLength(3);
    expect(plans.filter((plan) => plan.includes("Seq Scan on job_common"))).toEqual([]);
    expect(await putBack(copies, job)).toBe("done");
  });

  it("stay when their time is over, whatever was done to them until then", async () => {
    const { boss, framework, job, dead } = await failedJob(postgres, "late");
    // Enough for all but the commit.
    expect(await framework.putBack({ ...job, beforeMs: (await framework.now()) + 5_000 })).toBe("late");
    expect(await framework.standings([job])).toEqual(["failed"]);
    expect(await boss.fetch(dead)).toHaveLength(1);
  });

  it("say how to name the schema where it is another", async () => {
    await expect(pgBoss(postgres.database, { schema: "elsewhere" }).queues()).rejects.toMatchObject({
      code: "SCHEMA_MISMATCH",
      message: expect.stringContaining("`schema`") as string,
    });
  });
});
