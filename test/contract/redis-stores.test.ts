import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { redisInbox, redisSharedState } from "../../src/redis.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRedisServer, startRedis } from "../servers/redis.ts";

const entry = { scope: "orders", key: "k", windowMs: 60_000, leaseMs: 5_000 };

async function setup() {
  const server = await startRedis();
  onTestFinished(() => server.close());
  const client = new Redis(server.url);
  client.on("error", () => {});
  onTestFinished(() => client.disconnect());
  return { server, client };
}

describeServer("stores on a Redis that fails", noRedisServer, () => {
  it("say within their time that it is away, however patient the client is, and go on when it is back", async () => {
    const { server, client } = await setup();
    const [inbox, state] = [
      redisInbox({ client, answerWithinMs: 2_000 }),
      redisSharedState({ client, answerWithinMs: 2_000 }),
    ];
    await inbox.once(entry, async () => {});
    await state.replace("breaker", null, { state: "open" });
    await server.kill();
    const away = { code: "STORE_UNAVAILABLE" };
    await expect(inbox.once({ ...entry, key: "other" }, async () => {})).rejects.toMatchObject(away);
    await expect(state.read("breaker")).rejects.toMatchObject(away);
    await server.start();
    await client.ping();
    expect(await inbox.once(entry, async () => {})).toBe("duplicate");
    expect((await state.read("breaker")).value).toEqual({ state: "open" });
  });

  it("forget what is past by themselves", async () => {
    const { client } = await setup();
    const inbox = redisInbox({ client });
    await inbox.once(entry, async () => {});
    await expect(
      inbox.once({ ...entry, key: "failed" }, () => Promise.reject(new Error("the bank is away"))),
    ).rejects.toThrow("the bank is away");
    const keys = await client.keys("dlo:inbox:*");
    expect(keys.length).toBe(1);
    expect(await client.pttl(keys[0] ?? "")).toBeGreaterThan(50_000);
  });

  it("refuse a client that is none", () => {
    const options = { client: {} } as unknown as Parameters<typeof redisInbox>[0];
    expect(() => redisInbox(options)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }) as Error);
  });
});
