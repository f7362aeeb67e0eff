import { expect, it, onTestFinished } from "vitest";
import { parseConfig } from "../../src/config/config-file.ts";
import { referenceOrigin } from "../../src/config/reference.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { postgresBlockedKeys } from "../../src/postgres.ts";
import type { OpenedSource } from "../../src/sources/opened-source.ts";
import { sourcePool } from "../../src/sources/source-pool.ts";
import type { BlockedKeysAdmin } from "../../src/stores/blocked-keys.ts";
import { systemClock } from "../../src/system/host.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";

/** Opens a source of a configuration as the server does. */
async function opened(sources: string, name: string, env: Record<string, string> = {}): Promise<OpenedSource> {
  const config = parseConfig(`version: 1\nsources:\n${sources}`);
  const origin = referenceOrigin(env);
  const pool = sourcePool({ sources: () => config.sources, origin, clock: systemClock });
  onTestFinished(() => pool.close());
  return pool.get(name);
}

async function keysOf(...of: Parameters<typeof opened>): Promise<BlockedKeysAdmin> {
  const { blockedKeys } = await opened(...of);
  if (blockedKeys === undefined) throw new Error("No one said where they are.");
  return blockedKeys;
}

describeServer("where consumers keep their blocked keys", noPostgres, () => {
  const postgres = usePostgres();
  const key = new TextEncoder().encode("account-7");

  it("is reached through the source's own database, another source or an address, with few rights, and never made", async () => {
    const { database, url, pool } = postgres;
    const rabbit = `  - { name: rabbit, broker: rabbitmq, url: "amqp://127.0.0.1:1", keys: KEYS }\n`;
    const jobs = `  - { name: jobs, broker: postgres, url: "${url}", schema: shop }\n`;
    const at = (user: string) => url.replace(/\/\/[^@/]*@/, `//${user}@`);
    const own = await keysOf(jobs, "jobs");
    const lane = { queue: "orders", key };
    expect([await own.list(null), await own.summarize(), await own.find([{ ...lane, number: 1 }])]).toEqual([
      ...[[], [], [{ blocked: null, place: null }]],
    ]);
    expect(await own.release([{ ...lane, number: 1 }])).toEqual(["gone"]);
    expect((await database.query("select from pg_namespace where nspname = 'shop'")).count).toBe(0);

    const store = postgresBlockedKeys({ database, schema: "shop" });
    const number = await store.enter(lane, { mark: key, turn: "one" });
    await store.confirm(lane, number, "one", "dead");
    const named = await keysOf(jobs + rabbit.replace("KEYS", "{ source: jobs }"), "rabbit");
    expect(await named.list("orders")).toMatchObject([{ queue: "orders", number, state: "dead" }]);

    await pool.query(`drop role if exists keys_clerk; create role keys_clerk login;
      grant usage on schema shop to keys_clerk; grant select, update, delete on shop.lane_places to keys_clerk`);
    onTestFinished(async () => void (await pool.query("drop owned by keys_clerk; drop role keys_clerk")));
    const typed = rabbit.replace("KEYS", `{ url: "\${ORDERS_DB}", schema: shop }`);
    const addressed = await keysOf(typed, "rabbit", { ORDERS_DB: at("keys_clerk") });
    expect(await addressed.find([{ ...lane, number }])).toMatchObject([{ place: { state: "dead", behind: 0 } }]);
    const place = { ...lane, number };
    expect([await addressed.release([place]), await own.release([place])]).toEqual([["released"], ["gone"]]);
    expect(await addressed.list(null)).toEqual([]);
    const unset = await keysOf(typed, "rabbit");
    await expect(unset.list(null)).rejects.toMatchObject({ message: expect.stringContaining("ORDERS_DB") as string });
  });

  it("gives up counting keys that takes long, in the database too", async () => {
    const { database, url, pool } = postgres;
    const store = postgresBlockedKeys({ database, schema: "slow" });
    await store.list(null);
    const typed = `  - { name: rabbit, broker: rabbitmq, url: "amqp://127.0.0.1:1", keys: { url: "${url}", schema: slow } }\n`;
    const keys = await keysOf(typed, "rabbit");
    const client = await pool.connect();
    onTestFinished(() => client.release(true));
    await client.query("begin; lock table slow.lane_places in access exclusive mode");
    await expect(keys.summarize()).rejects.toMatchObject({ code: "57014" });
    await client.query("rollback");
    expect(await keys.summarize()).toEqual([]);
  }, 30_000);

  it("is no empty one where a name leads to none: a release is not over, and says why", async () => {
    const typed = `  - { name: rabbit, broker: rabbitmq, url: "amqp://127.0.0.1:1", keys: { url: "${postgres.url}", schema: shpo } }\n`;
    const keys = await keysOf(typed, "rabbit");
    const refusal = { code: "STORE_UNAVAILABLE", message: expect.stringContaining("shpo.lane_places") as string };
    await expect(keys.release([{ queue: "orders", key, number: 1 }])).rejects.toMatchObject(refusal);
    await expect(keys.list(null)).rejects.toMatchObject(refusal);
  });

  it("may be another than the source's own database: consumers are asked by message for what isn't there", async () => {
    const { database, url } = postgres;
    const { transport, blockedKeys } = await opened(
      `  - { name: jobs, broker: postgres, url: "${url}", schema: bakery }\n`,
      "jobs",
    );
    const sent = async () =>
      (await database.query<{ queue: string }>("select queue from bakery.messages order by id")).rows.map(
        (each) => each.queue,
      );
    await transport.send({ name: "orders" }, makeMessage({ body: "{}" }));
    expect(await blockedKeys?.release([{ queue: "orders", key, number: 1 }])).toEqual(["gone"]);
    expect(await sent()).toEqual(["orders", "orders.parked"]);
  });

  it("refuses a source for them that is no PostgreSQL", () => {
    const text = `version: 1\nsources: [{ name: r, broker: rabbitmq, url: "amqp://a", keys: { source: other } }]`;
    expect(() => parseConfig(text)).toThrow("`sources[0].keys.source` must be a source whose broker is postgres");
  });
});
