import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { readId, uuidOf } from "../../src/domain/ids.ts";
import { createConsumer, makeMessage, officeReports } from "../../src/index.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import type { UsedPostgres } from "../servers/use-postgres.ts";
import { clientOf, enrol, enrolWith, minuteMs, type UpOffice, useOffices } from "./up-process.ts";

const reason = "payments is back";

/** Offices as processes of their own, a consumer whose orders died, and two people who send them back. */
export function useOrders() {
  const { folder, up } = useOffices();
  let cookies: { readonly ana: string; readonly ben: string } | null = null;

  function start({ url }: Pick<UsedPostgres, "url">, { port }: { readonly port?: number } = {}): Promise<UpOffice> {
    const env = { DLO_DATA: join(folder, "data"), DATABASE_URL: url };
    const queues = 'queues: [{ match: "*.dlq", mode: drain }]';
    const config = `version: 1
sources:
  - { name: pg, broker: postgres, url: "\${DATABASE_URL}", ${queues} }
  - { name: away, broker: rabbitmq, url: "amqp://127.0.0.1:1" }
`;
    return up(env, config, port === undefined ? {} : { port });
  }

  /** Ana, who asks, and Ben, who approves. */
  async function peopleAt(url: string) {
    if (cookies === null) {
      const ana = await enrol(url, join(folder, "data"));
      const { code } = await clientOf(url, ana)("people.add", { id: "ben", roles: ["approver"] });
      cookies = { ana, ben: await enrolWith(url, { code: code ?? "", name: null }) };
    }
    return { ana: clientOf(url, cookies.ana), ben: clientOf(url, cookies.ben), cookies };
  }

  /** Orders that could not be charged, dead letters in the ledger by then; payments is back. */
  async function deadOrders({ database }: UsedPostgres, url: string, queue: string, count: number) {
    const shop = openShop(database, queue);
    for (let n = 0; n < count; n++) {
      await shop.transport.send({ name: queue }, makeMessage({ body: JSON.stringify({ id: `o-${n}` }) }));
    }
    const { ana } = await peopleAt(url);
    const q = `queue:${queue}`;
    await eventually(async () => expect((await ana("letters.count", { q })).n).toBe(count), { withinMs: 2 * minuteMs });
    shop.isDown = false;
    return shop;
  }

  /** Planned and asked for by one, approved by another, started. */
  async function startReplay(url: string, queue: string, limits: object = {}): Promise<string> {
    const { ana, ben } = await peopleAt(url);
    const { id, approvalHash, counts } = await ana("replays.plan", { q: `queue:${queue}`, limits });
    const asked = await ana("replays.ask", { id, reason });
    if (asked.state === "awaiting_approval") await ben("replays.approve", { id, reason, hash: approvalHash });
    await ana("replays.start", { id, expectCount: counts.toSend });
    return id;
  }

  async function finished(url: string, id: string) {
    const { ana } = await peopleAt(url);
    await eventually(async () => expect((await ana("replays.get", { id })).state).toBe("finished"), {
      // One letter a second, after a lease has lapsed and what was left in doubt was looked for.
      withinMs: 5 * minuteMs,
    });
    return ana("replays.get", { id });
  }

  return { folder, start, peopleAt, deadOrders, startReplay, finished };
}

/** Charges nobody until it is told that payments is back, and reports. */
function openShop(database: UsedPostgres["database"], queue: string) {
  const transport = postgresTransport({ database });
  const reports = officeReports({ transport });
  const shop = { isDown: true, charged: [] as string[], transport };
  const consumer = createConsumer<{ readonly id: string }>({
    ...{ transport, queue, service: queue, retry: { maxAttempts: 1 }, breaker: false, observers: [reports] },
    handler: async ({ payload }) => {
      if (shop.isDown) throw Object.assign(new Error("connect ECONNREFUSED payments:443"), { code: "ECONNREFUSED" });
      shop.charged.push(payload.id);
    },
  });
  onTestFinished(async () => {
    await consumer.stop();
    await reports.close();
    await transport.close();
  });
  void consumer.start();
  return shop;
}

export async function leaseOf({ pool }: UsedPostgres, id: string) {
  const { rows } = await pool.query<{ epoch: number; isLed: boolean }>(
    `select epoch, lease_until is not null as "isLed" from dlo.replays where id = $1`,
    [uuidOf(readId("replay", id))],
  );
  return rows[0] ?? { epoch: 0, isLed: true };
}
