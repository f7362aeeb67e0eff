import { describe, expect, it } from "vitest";
import { makeMessage } from "../domain/message.ts";
import { asynq } from "./asynq/asynq.ts";
import { dramatiq } from "./dramatiq/dramatiq.ts";
import { hashProperty } from "./job-record.ts";
import type { RedisStore } from "./redis-store.ts";
import { rq } from "./rq/rq.ts";
import { sidekiq } from "./sidekiq/sidekiq.ts";

const nowhere: RedisStore = {
  call: () => Promise.reject(new Error("Nothing is asked.")),
  run: () => Promise.reject(new Error("Nothing is asked.")),
};

const withJson = (job: object) => ({ ...makeMessage({}), body: Buffer.from(JSON.stringify(job)) });
const withHash = (fields: Readonly<Record<string, Buffer>>) => ({
  ...makeMessage({}),
  properties: [hashProperty(new Map(Object.entries(fields)))],
});

describe("the runs of a job that is put back", () => {
  it.each<[object, number | null]>([
    [{ retry: 5, retry_count: 5 }, 1],
    [{ retry: 5, retry_count: 1 }, 4],
    [{ retry: 5 }, 6],
    [{ retry: 0, retry_count: 0 }, 1],
    [{ retry: false }, 1],
    [{ retry: true, retry_count: 25 }, 1],
    [{ retry: true, retry_count: 3 }, null],
  ])("are those that Sidekiq has left: %j", (job, runs) => {
    expect(sidekiq(nowhere, {}).outlook(withJson(job))).toEqual({ kind: "runs", runs });
  });

  it.each<[readonly number[], number]>([
    [[0x28, 3, 0x30, 3], 1],
    [[0x28, 25, 0x30, 1], 25],
    [[], 1],
  ])("are those that asynq has left: %j", (bytes, runs) => {
    expect(asynq(nowhere).outlook(withHash({ msg: Buffer.from(bytes) }))).toEqual({ kind: "runs", runs });
  });

  it.each<[object, number | null]>([
    [{ max_retries: 3, retries: 3 }, 1],
    [{ max_retries: 3 }, 4],
    [{ retries: 2 }, null],
  ])("are those that dramatiq has left, as far as it says: %j", (options, runs) => {
    expect(dramatiq(nowhere, {}).outlook(withJson({ options }))).toEqual({ kind: "runs", runs });
  });

  it("are those that RQ has left", () => {
    expect(rq(nowhere).outlook(withHash({}))).toEqual({ kind: "runs", runs: 1 });
    expect(rq(nowhere).outlook(withHash({ retries_left: Buffer.from("2") }))).toEqual({ kind: "runs", runs: 3 });
  });
});
