import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { dlo, exitCodeOf } from "../cli/dlo.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { clientOf, enrol, minuteMs, useOffices } from "./up-process.ts";

const { folder, up } = useOffices();

describe("dlo up", { timeout: 6 * minuteMs }, () => {
  it("serves an embedded ledger, lets the first admin in by a file of their own, and ends when asked", async () => {
    const data = join(folder, "embedded");
    const { child, url } = await up({ DLO_DATA: data });
    const ask = clientOf(url, await enrol(url, data));
    expect(statSync(join(data, "first-run")).mode & 0o777).toBe(0o600);
    expect(await ask("inbox.list", {})).toEqual({ items: [], snoozed: 0, open: 0, openGroups: 0, next: null });
    expect(await ask("status.get", {})).toMatchObject({ ledger: { isEmbedded: true }, drains: [] });

    const taken = await dlo(["up", "--listen", new URL(url).host, "--json"], { DLO_DATA: data });
    expect([taken.code, JSON.parse(taken.stdout)]).toMatchObject([6, { error: { code: "ledger.in_use" } }]);

    child.kill("SIGTERM");
    expect(await exitCodeOf(child)).toBe(0);
  });
});

describe("dlo up without pages", { timeout: 6 * minuteMs }, () => {
  it("says what it cannot do, since nobody can look it up there", async () => {
    const source =
      '{ name: rabbit, broker: rabbitmq, url: "amqp://127.0.0.1:1", queues: [{ match: "*.dlq", mode: drain }] }';
    const env = { DLO_DATA: join(folder, "alone") };
    const { child, said } = await up(env, `version: 1\nsources: [${source}]\n`, { only: "intake" });
    await eventually(() => expect(said()).toContain("Trouble: finding the queues of rabbit: "), { withinMs: minuteMs });
    child.kill("SIGTERM");
    expect(await exitCodeOf(child)).toBe(0);
  });
});

describeServer("dlo up on PostgreSQL", noPostgres, () => {
  const postgres = usePostgres();

  it("drains what the configuration asks for, and goes on after kill -9", { timeout: 10 * minuteMs }, async () => {
    const data = join(folder, "drains");
    const env = { DLO_DATA: data, DATABASE_URL: postgres.url };
    const config = `version: 1
sources:
  - { name: pg, broker: postgres, url: "\${DATABASE_URL}", queues: [{ match: "*.dlq", mode: drain }] }
`;
    const transport = postgresTransport({ database: postgres.database });
    const send = async (count: number) => {
      for (let n = 0; n < count; n++) await transport.send({ name: "bills.dlq" }, makeMessage({ body: `${n}` }));
    };
    await transport.send({ name: "bills" }, makeMessage({ body: "work" }));
    await send(20);
    const first = await up(env, config);
    const cookie = await enrol(first.url, data);
    const count = async (url: string) => (await clientOf(url, cookie)("letters.count", { q: "" })).n;
    await eventually(async () => expect(await count(first.url)).toBe(20), { withinMs: 2 * minuteMs });
    // What is in the ledger is counted a little later.
    await eventually(async () =>
      expect(await clientOf(first.url, cookie)("status.get", {})).toMatchObject({
        drains: [{ source: "pg", queue: "bills.dlq", state: "draining", held: 20, trouble: null }],
      }),
    );

    first.child.kill("SIGKILL");
    await send(5);
    const second = await up(env, config, { only: "intake" });
    const held = async () => (await postgres.pool.query("select from dlo.letters")).rowCount;
    await eventually(async () => expect(await held()).toBe(25), { withinMs: 2 * minuteMs });
    expect((await fetch(`${second.url}/readyz`)).status).toBe(404);
    // What is worked on is nobody's to drain, whatever a pattern matches.
    const left = await postgres.pool.query("select from dlo.messages where queue = 'bills'");
    expect(left.rowCount).toBe(1);
    await transport.close();
  });
});
