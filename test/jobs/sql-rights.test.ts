import { Logger, makeWorkerUtils } from "graphile-worker";
import { PgBoss } from "pg-boss";
import { expect, it, onTestFinished } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import { brokerGuides } from "../../src/doctor/broker-guides.ts";
import type { Database } from "../../src/domain/database.ts";
import { graphileWorker } from "../../src/jobs/graphile-worker/graphile-worker.ts";
import type { JobFramework } from "../../src/jobs/job-framework.ts";
import { laravel } from "../../src/jobs/laravel/laravel.ts";
import { pgBoss } from "../../src/jobs/pg-boss/pg-boss.ts";
import { symfonyMessenger } from "../../src/jobs/symfony-messenger/symfony-messenger.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { type UsedPostgres, usePostgres } from "../servers/use-postgres.ts";
import { failInLaravel, failInSymfony, laravelTables, symfonyTable } from "./failed-shapes.ts";
import { putBack } from "./put-back.ts";

interface Case {
  readonly open: (database: Database) => JobFramework;
  readonly place: string;
  fail(postgres: UsedPostgres): Promise<unknown>;
}

const cases = {
  laravel: {
    ...{ open: (database) => laravel(database, {}), place: "charges" },
    async fail({ pool }) {
      await pool.query(laravelTables.jobs);
      await pool.query(laravelTables.failed);
      await failInLaravel(pool);
    },
  },
  "symfony-messenger": {
    ...{ open: (database) => symfonyMessenger(database, { transports: { async: "default" } }), place: "failed" },
    async fail({ pool }) {
      await pool.query(symfonyTable);
      await failInSymfony(pool);
    },
  },
  "graphile-worker": {
    ...{ open: (database) => graphileWorker(database, {}), place: "charges" },
    async fail({ url, pool }) {
      const utils = await makeWorkerUtils({ connectionString: url, logger: new Logger(() => () => {}) });
      onTestFinished(() => utils.release());
      await utils.migrate();
      await utils.addJob("charges", { name: "o-1" }, { maxAttempts: 1 });
      await pool.query("update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'refused'");
    },
  },
  "pg-boss": {
    ...{ open: (database) => pgBoss(database, {}), place: "charges" },
    async fail({ url }) {
      const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
      boss.on("error", () => {});
      await boss.start();
      onTestFinished(() => boss.stop({ graceful: false }));
      await boss.createQueue("charges-dead");
      await boss.createQueue("charges", { retryLimit: 0, deadLetter: "charges-dead" });
      const id = (await boss.send("charges", { order: "o-1" })) ?? "";
      await boss.fetch("charges");
      await boss.fail("charges", id, new Error("refused"));
    },
  },
} as const satisfies Readonly<Record<string, Case>>;

describeServer("the least rights of a job framework in PostgreSQL", noPostgres, () => {
  const postgres = usePostgres();

  it.each(Object.keys(cases) as (keyof typeof cases)[])("suffice to look, and then to put back (%s)", async (name) => {
    const { open, place, fail } = cases[name];
    await fail(postgres);
    const role = `dlo_${crypto.randomUUID().slice(0, 8)}`;
    await postgres.pool.query(`create role ${role} login password 'secret'`);
    onTestFinished(async () => {
      await postgres.pool.query(`drop owned by ${role}; drop role ${role}`);
    });
    const grant = async (to: string) => {
      const right = brokerGuides[name].rights.find((each) => each.to === to);
      await postgres.pool.query(right?.remedy.replaceAll(/\bto dlo\b/g, `to ${role}`) ?? "");
    };
    const url = new URL(postgres.url);
    Object.assign(url, { username: role, password: "secret" });
    const framework = open(pgDatabase(postgres.otherPool({ connectionString: url.href })));
    await grant("look");
    expect((await framework.queues()).find((queue) => queue.name === place)).toMatchObject({ failed: 1 });
    await framework.look(place);
    const [job] = await framework.list(place, null, 10);
    if (job === undefined) throw new Error("It is listed.");
    expect(await framework.standings([job])).toEqual(["failed"]);
    await expect(putBack(framework, job)).rejects.toThrow("permission denied");
    await grant("send back");
    expect(await putBack(framework, job)).toBe("done");
  });
});
