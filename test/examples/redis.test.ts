import { expect, it } from "vitest";
import { describeServer } from "../servers/describe-server.ts";
import { noRedis } from "../servers/redis.ts";
import { useRedis } from "../servers/use-redis.ts";
import { startExample } from "./start-example.ts";

describeServer("the example on Redis", noRedis, () => {
  const redis = useRedis();

  it("charges what can be charged, dead-letters the rest, and disturbs no other group", async () => {
    const { ended, lines } = startExample("redis/main.ts", [], { REDIS_URL: redis.url });
    await ended;
    expect(
      lines()
        .filter((line) => !line.startsWith("the bank is away"))
        .toSorted(),
    ).toEqual([
      "dead letter in orders.payments.dlq: unprocessable",
      "order 1: charged 250 cents, attempt 1",
      "order 1: packed",
      "order 2: charged 990 cents, attempt 3",
      "order 2: packed",
      "order 3: packed",
    ]);
  });
});
