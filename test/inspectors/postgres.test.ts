import { expect, it, onTestFinished } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { matching } from "../matching.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { lookAtPlace } from "./looking.ts";

describeServer("doctor on PostgreSQL", noPostgres, () => {
  const postgres = usePostgres();

  async function withQueues(schema: string, counts: Readonly<Record<string, number>>): Promise<void> {
    await migrate({ database: postgres.database, schema });
    const transport = postgresTransport({ database: postgres.database, schema });
    onTestFinished(() => transport.close());
    for (const [queue, count] of Object.entries(counts)) {
      for (let sent = 0; sent < count; sent++)
        await transport.send({ name: queue }, makeMessage({ body: new Uint8Array([1]) }));
    }
  }

  it("sees queues, how much is in each and for how long, and changes nothing", async () => {
    await withQueues("seen", { orders: 2, "orders.dlq": 3, 'it\'s "odd"': 1 });
    const before = await postgres.pool.query("select * from seen.messages order by id");
    const { wiring, codes } = await lookAtPlace("postgres", { url: postgres.url, schema: "seen" });
    const depths = wiring.queues.map(({ name, depth, oldestAgeMs }) => [
      name,
      depth,
      oldestAgeMs !== null && oldestAgeMs < 600_000,
    ]);
    expect(depths).toEqual([
      ['it\'s "odd"', 1, true],
      ["orders", 2, true],
      ["orders.dlq", 3, true],
    ]);
    expect(codes.filter((code) => code !== "rights.needless")).toEqual([]);
    expect((await postgres.pool.query("select * from seen.messages order by id")).rows).toEqual(before.rows);
  });

  it("needs no more than the rights it asks for, and says so where they are missing", async () => {
    await withQueues("guarded", { orders: 1 });
    const role = `looker_${crypto.randomUUID().replaceAll("-", "")}`;
    await postgres.pool.query(`create role ${role} login password 'hunter2'`);
    onTestFinished(async () => {
      await postgres.pool.query(`drop owned by ${role}; drop role ${role}`);
    });
    const url = new URL(postgres.url);
    Object.assign(url, { username: role, password: "hunter2" });
    const place = { url: url.href, schema: "guarded" };
    const blind = await lookAtPlace("postgres", place);
    expect(blind.findings).toMatchObject([{ code: "rights.missing", queue: null, remedy: matching(/^grant usage/) }]);
    await postgres.pool.query(blind.findings[0]?.remedy ?? "");
    const seeing = await lookAtPlace("postgres", place);
    expect([seeing.codes, seeing.wiring.queues.length]).toEqual([[], 1]);
  });

  it.each([
    ["no queues of ours", (url: string) => ({ url, schema: "nothing" }), "STORE_UNAVAILABLE", /schema "nothing"/],
    [
      "no such database",
      (url: string) => ({ url: url.replace(/\/[^/]*$/, "/nowhere") }),
      "TRANSPORT_UNAVAILABLE",
      /no such database/,
    ],
    [
      "nobody there",
      () => ({ url: "postgres://u:hunter2@127.0.0.1:2/x" }),
      "TRANSPORT_UNAVAILABLE",
      /^(?!.*hunter2).*ECONNREFUSED/,
    ],
    [
      "a name nobody knows",
      (url: string) => ({ url: url.replace(/\/\/[^@]*@/, "//nobody:hunter2@") }),
      "ACCESS_REFUSED",
      /^(?!.*hunter2)/,
    ],
    ["something that is no address", () => ({ url: "hunter2" }), "INVALID_CONFIG", /^(?!.*hunter2)/],
  ])("says what is wrong with %s", async (_about, place, code, message) => {
    await expect(lookAtPlace("postgres", place(postgres.url))).rejects.toMatchObject({
      code,
      message: matching(message),
    });
  });

  it("does not wait for ever for a server that is half open", async () => {
    const proxy = await startFaultProxy({ port: Number(new URL(postgres.url).port) });
    onTestFinished(() => proxy.close());
    proxy.break({ accept: "silence" });
    const looking = lookAtPlace("postgres", { url: proxy.through(postgres.url) }, 500);
    await expect(looking).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
  });
});
