import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeId } from "../../src/domain/ids.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { dlo, exitCodeOf } from "../cli/dlo.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
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
    const lanes = { decide: 0, unblocked: 0, blocked: 0, acknowledged: 0 };
    expect(await ask("inbox.list", {})).toEqual({ items: [], lanes, snoozed: 0, open: 0, openGroups: 0, next: null });
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

describeServer("retention of dlo up", noPostgres, () => {
  const postgres = usePostgres();

  it("expires by itself what is past the configured time, and says so", { timeout: 6 * minuteMs }, async () => {
    const data = join(folder, "retention");
    const ledger = await openLedger({ database: postgres.database });
    const at = Date.now() - 3 * 86_400_000;
    const newLetterId = () => ({ id: makeId(at, crypto.randomUUID()), arrivedAt: at });
    const letter = deadLetter({ body: "old", headers: { queue: "old" } });
    await hold(ledger, [{ letter, found: { kind: "position", position: "old" } }], {
      room: { ...testRoom(), newLetterId },
    });
    const config = `version: 1\nledger: { url: "\${DATABASE_URL}", retention: 2d }\n`;
    const { url } = await up({ DLO_DATA: data, DATABASE_URL: postgres.url }, config);
    const cookie = await enrol(url, data);
    const ask = clientOf(url, cookie);
    await eventually(
      async () =>
        expect((await ask("status.ledger", {})).retention).toMatchObject({
          ...{ keptMs: 2 * 86_400_000, last: { by: "office", expired: 1 }, totals: { expired: 1 } },
        }),
      { withinMs: minuteMs },
    );
    const { items } = await ask("audit.list", { limit: 20 });
    expect(items).toContainEqual(expect.objectContaining({ action: "letters.expired", actor: "office" }));
    const metrics = await fetch(`${url}/metrics`, { headers: { cookie } });
    expect(await metrics.text()).toContain("dlo_retention_expired_total 1\n");
  });
});

/** On a ledger of its own, which has no admin yet. */
describeServer("several processes of dlo up", noPostgres, () => {
  const postgres = usePostgres();

  it("tells of all processes, whichever is asked, and of one that was killed", { timeout: 6 * minuteMs }, async () => {
    const data = join(folder, "told");
    const env = { DLO_DATA: data, DATABASE_URL: postgres.url };
    const queues = 'queues: [{ match: "*.dlq", mode: drain }]';
    const sources = `
  - { name: pg, broker: postgres, url: "\${DATABASE_URL}", ${queues} }
  - { name: rabbit, broker: rabbitmq, url: "amqp://guest:hunter22@127.0.0.1:1", ${queues} }`;
    const transport = postgresTransport({ database: postgres.database });
    onTestFinished(() => transport.close());
    await transport.send({ name: "told.dlq" }, makeMessage({ body: "bill" }));
    const work = await up(env, `version: 1\nsources:${sources}\n`, { only: "intake,replay" });
    const pages = await up(env, "version: 1\n", { isOnlyPages: true });
    const ask = clientOf(pages.url, await enrol(pages.url, data));

    await eventually(
      async () => {
        const told = await ask("status.get", {});
        const by = told.processes.find(({ duties }) => duties.includes("intake"))?.id;
        expect(told.processes).toMatchObject([
          { id: by, lives: true, duties: ["intake", "replay"], host: expect.stringMatching(/:\d+$/) as string },
          { id: told.process, lives: true, duties: ["http"], clockAheadMs: expect.any(Number) as number },
        ]);
        expect(told.drains).toContainEqual(
          expect.objectContaining({ queue: "told.dlq", process: by, state: "draining", held: 1, trouble: null }),
        );
        expect(told.reports.map(({ source, process }) => [source, process])).toContainEqual(["rabbit", by]);
        expect(told.chores.map(({ name }) => name)).toEqual([
          ...["people", "regrouping", "alert rules", "ledger size", "key releases", "retention", "token suspension"],
        ]);
        expect(told.troubles.map(({ sentence }) => sentence)).toContainEqual(
          expect.stringMatching(/^Which queues rabbit has cannot be found out: /),
        );
        expect(JSON.stringify(told)).not.toContain("hunter22");
      },
      { withinMs: 2 * minuteMs },
    );
    const seconds = /^dlo_drain_troubled_seconds\{source="rabbit",queue="\*"\} \d/m;
    expect(await (await fetch(`${work.url}/metrics`)).text()).toMatch(seconds);
    const { drains } = await ask("figures.get", {});
    expect(drains).toContainEqual({ source: "pg", queue: "told.dlq", processes: 1, troubledS: 0 });

    work.child.kill("SIGKILL");
    await eventually(
      async () => {
        const { processes, drains: left, troubles } = await ask("status.get", {});
        expect(processes.map(({ lives }) => lives)).toEqual([true, false]);
        expect(left).toEqual([]);
        expect(troubles.map(({ code }) => code)).toEqual(["duty.missing", "duty.missing", "process.vanished"]);
      },
      { withinMs: minuteMs },
    );
  });
});
