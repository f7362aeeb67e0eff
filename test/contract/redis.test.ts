import { afterAll, beforeAll, describe, it } from "vitest";
import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRedis, noRedisServer, type RedisServer, startRedis } from "../servers/redis.ts";
import { useRedis } from "../servers/use-redis.ts";
import { redisSubject } from "./redis-subject.ts";

describeServer("transport: redis", noRedis, () => {
  const redis = useRedis();
  const url = () => redis.url;
  describe("a stream of which no group is named", () => hold(redisSubject("redis", url)));
  describe("a stream and a group", () =>
    hold(redisSubject("redis", url, { address: (name) => ({ name, group: "billing" }) })));
});

describeServer("transport: redis without HELLO, over RESP2", noRedisServer, () => {
  let server: RedisServer | undefined;
  beforeAll(async () => {
    server = await startRedis(["--rename-command", "HELLO", ""]);
  });
  afterAll(() => server?.close());
  const url = () => server?.url ?? "";
  hold(redisSubject("redis", url, { address: (name) => ({ name, group: "billing" }) }));
});

function hold(subject: TransportSubject): void {
  for (const { title, exempt, run } of transportContract(subject)) it.skipIf(exempt).concurrent(title, run);
}
