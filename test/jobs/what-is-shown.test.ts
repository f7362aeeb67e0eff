import { expect, it } from "vitest";
import { toJson } from "../../src/dialects/header-json.ts";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import type { Message } from "../../src/domain/message.ts";
import { asynq } from "../../src/jobs/asynq/asynq.ts";
import type { JobFramework } from "../../src/jobs/job-framework.ts";
import { rq } from "../../src/jobs/rq/rq.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRedis } from "../servers/redis.ts";
import { useRedis } from "../servers/use-redis.ts";
import { putBack } from "./put-back.ts";
import { openDatabase } from "./redis-store.ts";

async function onlyJob(framework: JobFramework, queue: string) {
  const [job] = await framework.list(queue, null, 10);
  if (job?.message == null) throw new Error("It is listed.");
  return { job, message: job.message };
}

/** All of a job but its body, as text. */
function besideBody({ headers, properties }: Message): string {
  const all = [...headers, ...properties];
  return all
    .flatMap((each) => (each.value.type === "table" ? each.value.value : [each]))
    .map(({ value }) => (value.type === "bytes" ? Buffer.from(value.value).toString() : JSON.stringify(toJson(value))))
    .join(" ");
}

function readAs(broker: string, message: Message) {
  const nowhere = { partition: null, offset: null, timestamp: null, exchange: null, routingKey: null };
  return readDeadLetter({ broker, queue: "charges", message, ...nowhere, redelivered: false });
}

describeServer("what a job was given", noRedis, () => {
  const redis = useRedis();

  const setup = (database: number) => openDatabase(redis, database);

  const text = (field: number, value: string) =>
    Buffer.concat([Buffer.from([field * 8 + 2, value.length]), Buffer.from(value)]);

  it("is the body of an asynq task, and stands nowhere else", async () => {
    const { client, store } = setup(1);
    const msg = Buffer.concat([text(1, "charge"), text(2, '{"card":"4111"}'), text(3, "o-1"), text(7, "refused")]);
    await client.hset("asynq:{charges}:t:o-1", { msg, state: "archived" });
    await client.zadd("asynq:{charges}:archived", 1_794_759_681, "o-1");
    const { job, message } = await onlyJob(asynq(store), "charges");
    expect(Buffer.from(message.body).toString()).toBe('{"card":"4111"}');
    expect(besideBody(message)).not.toContain("4111");
    const reading = readAs("asynq", message);
    expect(reading).toMatchObject({ handler: "charge", errorMessage: "refused" });
    expect(await putBack(asynq(store), job)).toBe("done");
    expect(await client.hgetBuffer("asynq:{charges}:t:o-1", "msg")).toEqual(msg);
  });

  it("is the body of an asynq task whose message nobody can read", async () => {
    const { client, store } = setup(2);
    await client.hset("asynq:{charges}:t:o-1", { msg: "card 4111", state: "archived" });
    await client.zadd("asynq:{charges}:archived", 1_794_759_681, "o-1");
    const { message } = await onlyJob(asynq(store), "charges");
    expect(Buffer.from(message.body).toString()).toBe("card 4111");
    expect(besideBody(message)).not.toContain("4111");
  });

  it("is left out of the description that RQ writes of a job", async () => {
    const { client, store } = setup(3);
    const fields = { status: "failed", data: "pickled", description: "shop.charge('4111')", ended_at: "2026-11-15" };
    await client.hset("rq:job:o-1", fields);
    await client.zadd("rq:failed:charges", 1_794_759_681, "o-1");
    const { message } = await onlyJob(rq(store), "charges");
    expect(besideBody(message)).not.toContain("4111");
    expect(readAs("rq", message)).toMatchObject({ handler: "shop.charge" });
    expect(await client.hget("rq:job:o-1", "description")).toBe(fields.description);
  });
});
