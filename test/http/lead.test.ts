import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { duties } from "../../src/domain/duty.ts";
import type { BreakerReport, HeartbeatReport } from "../../src/domain/report.ts";
import { makeMessage } from "../../src/index.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { dlo, exitCodeOf } from "../cli/dlo.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPgBouncer, startPgBouncer } from "../servers/pgbouncer.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { leaseOf, useOrders } from "./office-with-orders.ts";
import { minuteMs } from "./up-process.ts";

const { folder, start, peopleAt, deadOrders, startReplay, finished } = useOrders();
const reason = "payments is back";
/** Slow enough that something can happen in the middle of it, also where everybody else takes ten times as long. */
const slowly = { rate: 1, batch: 2 };
const longMs = 8 * minuteMs;

/** The server that leads it, and the others. */
async function leaderFirst<Server extends { readonly url: string }>(servers: readonly Server[], id: string) {
  const leads = async ({ url }: Server) => {
    const { ana } = await peopleAt(url);
    const { process, replays } = await ana("status.get", {});
    return replays.some((led) => led.replay === id && led.process === process);
  };
  let leader: Server | undefined;
  await eventually(
    async () => {
      const leading = await Promise.all(servers.map(leads));
      leader = servers[leading.indexOf(true)];
      expect(leader).toBeDefined();
    },
    { withinMs: minuteMs },
  );
  return [leader as Server, ...servers.filter((server) => server !== leader)] as const;
}

describeServer("dlo up leads replays", noPostgres ?? noPgBouncer, () => {
  const postgres = usePostgres();

  it("from the start to outcomes that consumers report, whatever else is away", { timeout: longMs }, async () => {
    const { url, child } = await start(postgres);
    const shop = await deadOrders(postgres, url, "orders", 12);
    const id = await startReplay(url, "orders");
    expect(await finished(url, id)).toMatchObject({ verdict: "clean", startedBy: "ana", counts: { confirmed: 12 } });
    expect(shop.charged.toSorted()).toEqual(Array.from({ length: 12 }, (_, n) => `o-${n}`).toSorted());

    const { ana } = await peopleAt(url);
    // That the ledger knows of the end comes first; the process is done with it a little later.
    await eventually(
      async () => {
        const { reports, replays } = await ana("status.get", {});
        expect(reports).toMatchObject([
          { source: "pg", state: "reading", trouble: null },
          { source: "away", trouble: expect.any(String) as string },
        ]);
        expect(reports[0]?.taken).toBeGreaterThanOrEqual(12);
        expect(replays).toEqual([]);
      },
      { withinMs: minuteMs },
    );
    child.kill("SIGTERM");
    expect(await exitCodeOf(child)).toBe(0);
  });

  it("goes on elsewhere after kill -9, behind PgBouncer, and sends nothing twice", { timeout: longMs }, async () => {
    const bouncer = await startPgBouncer(postgres.url);
    onTestFinished(() => bouncer.close());
    const servers = await Promise.all([1, 2, 3].map(() => start({ url: bouncer.url })));
    const shop = await deadOrders(postgres, servers[0]?.url ?? "", "parcels", 40);
    const { ana: atFirst } = await peopleAt(servers[0]?.url ?? "");
    await eventually(
      async () =>
        expect((await atFirst("status.get", {})).processes).toMatchObject(servers.map(() => ({ duties: [...duties] }))),
      { withinMs: minuteMs },
    );
    const id = await startReplay(servers[0]?.url ?? "", "parcels", slowly);
    const [leader, other] = await leaderFirst(servers, id);
    const { ana } = await peopleAt(other?.url ?? "");
    await eventually(() => expect(shop.charged.length).toBeGreaterThan(2), { withinMs: minuteMs });
    const { epoch } = await leaseOf(postgres, id);
    leader.child.kill("SIGKILL");
    const killedAt = performance.now();
    expect(shop.charged.length).toBeLessThan(40);
    await shop.transport.send({ name: "parcels.dlq" }, makeMessage({ body: "later" }));
    await eventually(async () => expect((await leaseOf(postgres, id)).epoch).toBeGreaterThan(epoch), {
      withinMs: 2 * minuteMs,
    });
    console.info(`Another process led the replay ${Math.round(performance.now() - killedAt)} ms after the kill.`);

    const { counts } = await finished(other?.url ?? "", id);
    expect(counts.sent + counts.inDoubt).toBe(40);
    // One window was under way at most.
    expect(counts.inDoubt).toBeLessThanOrEqual(slowly.batch);
    expect(new Set(shop.charged).size).toBe(shop.charged.length);
    expect(shop.charged.length).toBeGreaterThanOrEqual(40 - counts.inDoubt);
    await eventually(async () => expect((await ana("letters.count", { q: "queue:parcels" })).n).toBe(41), {
      withinMs: minuteMs,
    });
  });

  it("hands over when it is asked to end, and a terminal follows meanwhile", { timeout: longMs }, async () => {
    const servers = [await start(postgres), await start(postgres)] as const;
    const shop = await deadOrders(postgres, servers[0].url, "bills", 20);
    const id = await startReplay(servers[0].url, "bills", slowly);
    const [first, second = servers[1]] = await leaderFirst(servers, id);
    const config = join(folder, `${new URL(second.url).port}.yaml`);
    const terminal = dlo(["replay", "run", id, "--config", config, "--json"], { DATABASE_URL: postgres.url });
    const before = await leaseOf(postgres, id);
    first.child.kill("SIGTERM");
    expect(await exitCodeOf(first.child)).toBe(0);
    // Given up, not lapsed: nobody leads it, or somebody else does.
    const after = await leaseOf(postgres, id);
    expect(after.isLed && after.epoch === before.epoch).toBe(false);
    expect(await finished(second.url, id)).toMatchObject({ verdict: "clean", counts: { confirmed: 20, inDoubt: 0 } });
    expect(shop.charged).toHaveLength(20);
    const { code, stdout } = await terminal;
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { state: "finished" }]);
  });

  it("halts for a breaker that consumers report as open, and plans nothing towards it", {
    timeout: longMs,
  }, async () => {
    const { url } = await start(postgres);
    const { transport, charged } = await deadOrders(postgres, url, "refunds", 30);
    const { ana } = await peopleAt(url);
    const say = (report: BreakerReport | HeartbeatReport) =>
      transport.send({ name: "dlo.reports" }, makeMessage({ body: JSON.stringify(report) }));
    const at = new Date().toISOString();
    const who = { v: 1, service: "refunds", version: "1", instance: "refunds-1" } as const;
    const id = await startReplay(url, "refunds", slowly);
    await eventually(() => expect(charged.length).toBeGreaterThan(2), { withinMs: minuteMs });
    await say({ ...who, kind: "breaker", queue: "refunds", name: "payments", state: "open", since: at, at });
    await eventually(async () => expect((await ana("replays.get", { id })).state).toBe("halted"), {
      withinMs: minuteMs,
    });
    const { haltedBy, counts } = await ana("replays.get", { id });
    expect(haltedBy).toMatchObject({
      guard: "breaker",
      sentence: expect.stringContaining("Breaker payments has been open") as string,
    });
    expect(counts.drifted).toBe(0);
    const again = await ana("replays.plan", { q: "queue:refunds state:open" });
    expect([again.counts.toSend, again.reasons]).toMatchObject([0, [{ decision: "skip", code: "breaker.open" }]]);

    const later = new Date().toISOString();
    await say({
      ...who,
      kind: "breaker",
      queue: "refunds",
      name: "payments",
      state: "closed",
      since: later,
      at: later,
    });
    await eventually(
      async () => {
        const { counts: now } = await ana("replays.plan", { q: "queue:refunds state:open" });
        expect(now.toSend).toBeGreaterThan(0);
      },
      { withinMs: minuteMs },
    );
    await ana("replays.resume", { id, reason });
    expect((await finished(url, id)).counts.confirmed).toBe(30);
  });
});
