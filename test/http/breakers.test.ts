import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseConfig } from "../../src/config/config-file.ts";
import { referenceOrigin } from "../../src/config/reference.ts";
import { noteBreaker } from "../../src/ledger/breakers.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { type BreakerSnapshot, CircuitBreaker } from "../../src/policies/circuit-breaker.ts";
import { createBreaker } from "../../src/runtime/breaker.ts";
import { openSource } from "../../src/sources/open-source.ts";
import { memorySharedState } from "../../src/stores/memory-shared-state.ts";
import { postgresSharedState } from "../../src/stores/postgres-shared-state.ts";
import { redisSharedState } from "../../src/stores/redis-shared-state.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRedis } from "../servers/redis.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRedis } from "../servers/use-redis.ts";
import { type TestServer, useLedger } from "./open-server.ts";

const reason = "the bank is migrating";

/** A breaker of a consumer that reports, and whose state is shared where `rabbit` is. */
async function world(ledgers: ReturnType<typeof useLedger>) {
  const state = memorySharedState();
  const sharedBy = async (source: string) => (source === "rabbit" ? state : null);
  const server = await ledgers.open({ office: { sharedBy } });
  const breaker = createBreaker({ name: "payments", store: state, pollMs: 20 });
  onTestFinished(() => breaker.close());
  await reportOf(server, "rabbit", "payments");
  await reportOf(server, "rabbit", "local");
  const operator = await server.signedIn("otto", ["operator"]);
  const post = (path: string, body: object = {}) => server.fromPage(operator, `/api/v1/breakers/${path}`, body);
  // A call that went through is known to the store with the next change: one that opens it, and one that closes it.
  breaker.forceOpen("a test");
  await eventually(async () => expect((await state.read("payments")).version).not.toBeNull());
  breaker.release();
  await eventually(async () => expect((await state.read("payments")).value).toMatchObject({ phase: "half-open" }));
  return { server, breaker, operator, post };
}

async function reportOf({ ledger }: TestServer, source: string, name: string): Promise<void> {
  const who = { v: 1, service: "billing", version: "1", instance: "a", at: new Date().toISOString() } as const;
  const queue = { queue: "orders", schemas: [], inboxWindowS: null, retryHorizonS: 0, probe: false };
  await noteHeartbeat(ledger, source, { ...who, kind: "heartbeat", queues: [queue] });
  await noteBreaker(ledger, source, { ...who, kind: "breaker", queue: "orders", name, state: "closed", since: who.at });
}

describe("a breaker whose state is shared", () => {
  const ledgers = useLedger();
  it("is opened by hand for a time that has an end, and its consumers follow", async () => {
    const { breaker, post, server, operator } = await world(ledgers);
    const forced = await post("payments/force-open", { forSeconds: 600, reason });
    expect(forced.json()).toMatchObject({ store: "rabbit", state: "open", isForced: true });
    const { openUntil } = forced.json<{ openUntil: string }>();
    expect(Date.parse(openUntil) - Date.now()).toBeGreaterThan(500_000);
    await eventually(() => expect(breaker.phase).toBe("open"));
    expect(breaker.admit()).toBe(0);
    // Not until somebody releases it: the end is in the state itself.
    expect(breaker.snapshot().openUntil).not.toBeNull();
    const shown = await server.fromPage(operator, "/api/v1/breakers/payments");
    expect(shown.json()).toMatchObject({ why: null, shared: { isForced: true } });
    expect(shown.body).toContain(`by hand, otto: ${reason}`);
    const audit = await server.fromPage(await server.signedIn("root"), "/api/v1/audit?limit=10");
    expect(audit.body).toContain("breakers.force_open");

    const sooner = await post("payments/force-open", { forSeconds: 60, reason });
    expect([sooner.statusCode, sooner.body]).toEqual([400, expect.stringContaining(`(by hand, otto: ${reason})`)]);
    const shortened = await post("payments/force-open", { forSeconds: 60, reason, shorten: true });
    expect(Date.parse(shortened.json<{ openUntil: string }>().openUntil)).toBeLessThan(Date.parse(openUntil));

    expect((await post("payments/release")).json()).toMatchObject({ state: "half-open", isForced: false });
    await eventually(() => expect(breaker.phase).toBe("half-open"));
    expect(await post("payments/release")).toMatchObject({ statusCode: 400 });
  });

  it("is let through to try at once after it opened by itself", async () => {
    const { breaker, post } = await world(ledgers);
    const probe = { token: 0 };
    await eventually(() => {
      probe.token = breaker.admit();
      expect(probe.token).not.toBe(0);
    });
    breaker.failed(probe.token);
    await eventually(async () => expect((await post("payments/probe")).statusCode).toBe(200));
    await eventually(() => expect(breaker.phase).toBe("half-open"));
    const open = await post("payments/release");
    expect(open.json()).toMatchObject({ error: { message: expect.stringContaining("is half-open") as string } });
  });

  it("is said in the audit log not to have come about where its consumers were always faster", async () => {
    const state = memorySharedState();
    const sharedBy = async () => ({ ...state, replace: async () => false });
    const server = await ledgers.open({ office: { sharedBy } });
    await state.replace("busy", null, new CircuitBreaker().snapshot());
    await reportOf(server, "rabbit", "busy");
    const admin = await server.signedIn("root");
    const forced = await server.fromPage(admin, "/api/v1/breakers/busy/force-open", { forSeconds: 600, reason });
    expect([forced.statusCode, forced.body]).toEqual([503, expect.stringContaining("Nothing was changed")]);
    const { items } = (await server.fromPage(admin, "/api/v1/audit?limit=2")).json<{ items: { action: string }[] }>();
    expect(items.map(({ action }) => action)).toEqual(["breakers.force_open_failed", "breakers.force_open"]);
  });

  it("is refused with the way out where it is in its processes alone, or nobody has it", async () => {
    const { server, operator, post } = await world(ledgers);
    const local = await post("local/force-open", { forSeconds: 600, reason });
    expect(local.json()).toMatchObject({ error: { code: "breaker.not_shared" } });
    expect(local.body).toContain("Give the breaker a store");
    const shown = await server.fromPage(operator, "/api/v1/breakers/local");
    expect(shown.json()).toMatchObject({ shared: null, why: expect.stringContaining("--store NAME") as string });
    expect((await post("nothing/force-open", { forSeconds: 600, reason })).json()).toMatchObject({
      error: { code: "breaker.not_found" },
    });
    for (const forSeconds of [undefined, 1, 1e9])
      expect(await post("payments/force-open", { forSeconds, reason }), String(forSeconds)).toMatchObject({
        statusCode: 400,
      });
    const viewer = await server.signedIn("vera", ["viewer"]);
    const asked = { forSeconds: 600, reason };
    expect(await server.fromPage(viewer, "/api/v1/breakers/payments/force-open", asked)).toMatchObject({
      statusCode: 403,
    });
  });

  it("is not opened where two sources have one of its name before it is said whose, and shown while one of them is away", async () => {
    const states = new Map(["eu", "us"].map((source) => [source, memorySharedState()]));
    let isAway = false;
    const sharedBy = async (source: string) => {
      if (isAway && source === "eu") throw new Error("eu is away");
      return states.get(source) ?? null;
    };
    const server = await ledgers.open({ office: { sharedBy } });
    for (const [source, state] of states) {
      await state.replace("cards", null, new CircuitBreaker().snapshot());
      await reportOf(server, source, "cards");
    }
    const operator = await server.signedIn("otto", ["operator"]);
    const url = "/api/v1/breakers/cards";
    const order = { forSeconds: 600, reason };
    const unsaid = await server.fromPage(operator, `${url}/force-open`, order);
    expect([unsaid.statusCode, unsaid.json()]).toMatchObject([409, { error: { code: "breaker.ambiguous" } }]);
    const said = await server.fromPage(operator, `${url}/force-open`, { ...order, store: "us" });
    expect(said.json()).toMatchObject({ store: "us", isForced: true });
    expect((await states.get("eu")?.read("cards"))?.value).toMatchObject({ phase: "closed" });

    isAway = true;
    const shown = await server.fromPage(operator, url);
    expect(shown.json()).toMatchObject({
      ...{ items: [{ source: "eu" }, { source: "us" }], shared: { store: "us", isForced: true } },
      why: expect.stringContaining("eu is away") as string,
    });
    const alone = await server.fromPage(operator, `${url}?store=eu`);
    expect(alone.json()).toMatchObject({ items: [{}, {}], shared: null, why: "eu is away" });
  });
});

/** A source as the office opens it, which closes with the test. */
async function shareOf(broker: string, url: string) {
  const { sources } = parseConfig(`version: 1\nsources: [{ name: shop, broker: ${broker}, url: "${url}" }]`);
  const [source] = sources;
  if (source === undefined) throw new Error("There is one.");
  const opened = await openSource({ source, origin: referenceOrigin({}), clock: systemClock });
  onTestFinished(() => opened.close());
  if (opened.shared === undefined) throw new Error("It has nothing shared.");
  return opened.shared;
}

describeServer("a source on Redis", noRedis, () => {
  const redis = useRedis();

  it("reads and writes what consumers share there", async () => {
    // The server is shared with other files.
    const name = `payments-${crypto.randomUUID()}`;
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const own = redisSharedState({ client });
    expect(await own.replace(name, null, { phase: "open" })).toBe(true);
    const seen = await shareOf("redis", redis.url);
    expect(await seen.read(name)).toMatchObject({ value: { phase: "open" }, version: 1 });
    expect(await seen.replace(name, 1, { phase: "closed" })).toBe(true);
    expect(await own.read(name)).toMatchObject({ value: { phase: "closed" } });
  });
});

describeServer("a source on PostgreSQL", noPostgres, () => {
  const postgres = usePostgres();

  it("is not changed by a question, and reads and writes what consumers share there", async () => {
    const seen = await shareOf("postgres", postgres.url);
    expect(await seen.read("payments")).toMatchObject({ value: undefined, version: null });
    const made = await postgres.database.query("select from pg_namespace where nspname = 'dlo'");
    expect(made.count).toBe(0);

    const breaker = createBreaker({
      ...{ name: "payments", store: postgresSharedState({ database: postgres.database }), pollMs: 20 },
    });
    onTestFinished(() => breaker.close());
    breaker.forceOpen("a test");
    await eventually(async () =>
      expect(await seen.read("payments")).toMatchObject({ value: { phase: "open", openUntil: null } }),
    );
    await eventually(async () => {
      const { value, version } = await seen.read("payments");
      const circuit = new CircuitBreaker();
      circuit.restore(value as BreakerSnapshot);
      circuit.letProbe(Date.now(), "by hand");
      expect(await seen.replace("payments", version, circuit.snapshot())).toBe(true);
    });
    await eventually(() => expect(breaker.phase).toBe("half-open"));
  });
});
