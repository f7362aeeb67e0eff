import { describe, expect, it } from "vitest";
import { alertKinds } from "../../src/domain/alert-rule.ts";
import { makeId, readId, showId, uuidOf } from "../../src/domain/ids.ts";
import { endpointTable } from "../../src/http/endpoints.ts";
import { noteBreaker } from "../../src/ledger/breakers.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import type { NamedRole } from "../../src/ledger/people/roles.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { type TestServer, useLedger } from "./open-server.ts";

/** Operator and revealer of orders, of one source. */
const configured: readonly NamedRole[] = [
  { name: "orders-ops", is: "operator", queues: ["rabbit/orders*"], reveals: true },
  { name: "orders-eyes", is: "viewer", queues: ["rabbit/orders*"], reveals: false },
];

const marker = "wages";

interface Listed<Item = { readonly id: string }> {
  readonly items: readonly Item[];
}

async function fill({ ledger }: TestServer): Promise<void> {
  const letters = ["orders", marker].flatMap((queue) =>
    [1, 2].map((n) => ({
      letter: deadLetter(
        {
          body: `{"${queue}":${n}}`,
          headers: { queue, class: "TimeoutError", message: `${queue} timed out`, id: `${queue}-${n}` },
        },
        { queue: `${queue}.dlq` },
      ),
      found: { kind: "position", position: `${queue}-${n}` } as const,
    })),
  );
  await hold(ledger, letters);
}

/** Each queue has a breaker that opened a minute ago, told of by a consumer at work. */
async function trip({ ledger }: TestServer): Promise<void> {
  const [since, at] = [Date.now() - 60_000, Date.now()].map((ms) => new Date(ms).toISOString()) as [string, string];
  const who = { v: 1, service: "shop", version: "1", instance: "a", at } as const;
  for (const queue of ["orders", marker]) {
    const worked = { queue, schemas: [], inboxWindowS: null, retryHorizonS: 1, probe: false };
    await noteHeartbeat(ledger, "rabbit", { ...who, kind: "heartbeat", queues: [worked] });
    await noteBreaker(ledger, "rabbit", { ...who, kind: "breaker", queue, name: `${queue}-db`, state: "open", since });
  }
}

/** A plan with one letter that waited for two days, until it expired yesterday. */
async function planLongAgo({ ledger: { database, at } }: TestServer, letter: string): Promise<string> {
  const id = makeId(Date.now() - 3 * 86_400_000, crypto.randomUUID());
  await database.query(
    `insert into ${at}.replays (id, state, name, query, requested_by, reason, frozen_at, expires_at, ended_at, policy_hash, plan_hash,
       limits, approvals_needed, approver_roles)
     values ($1, 'expired', 'paid twice', '', 'ben', 'it was paid', now() - interval '3 days', now() - interval '1 day',
       now() - interval '1 day', '', '', '{}', 2, '{operator}')`,
    [uuidOf(id)],
  );
  await database.query(
    `insert into ${at}.replay_items (replay_id, n, letter_id, revision, source, destination, strip, decision, reason, details)
     values ($1, 1, $2, 0, 'rabbit', $3, '{}', 'replay', 'ok', '{}')`,
    [uuidOf(id), uuidOf(readId("letter", letter)), marker],
  );
  return showId("replay", id);
}

describe("somebody who is only let into some queues", () => {
  const ledger = useLedger();

  async function opened() {
    const server = await ledger.open({ roles: configured });
    const admin = await server.signedIn("ana");
    await fill(server);
    const get = async <Answer>(cookie: string, path: string) => {
      const response = await server.fromPage(cookie, `/api/v1${path}`);
      return { status: response.statusCode, body: response.body, json: () => response.json<Answer>() };
    };
    const { items } = (await get<Listed<{ id: string; queue: string; group: string }>>(admin, "/letters")).json();
    const outside = items.find(({ queue }) => queue === marker) ?? { id: "", group: "" };
    const inside = items.find(({ queue }) => queue === "orders") ?? { id: "", group: "" };
    return { server, admin, get, outside, inside };
  }

  it("sees nothing of the others: in no list, count, group, queue, figure or log", async () => {
    const { server, admin, get, outside } = await opened();
    const cookie = await server.signedIn("olga", ["orders-ops"]);
    await server.fromPage(admin, "/api/v1/letters/drop", { letters: [outside.id], reason: `${marker} were paid` });
    await server.fromPage(admin, `/api/v1/letters/${outside.id}/reveal`, { reason: `${marker} were paid` });
    await server.fromPage(admin, "/api/v1/fixes", { group: outside.group, called: `${marker}@2` });
    await server.fromPage(admin, "/api/v1/replays", { letters: [outside.id], name: marker });
    // A process that runs on a machine of that name, and fell silent.
    const { database, at } = server.ledger;
    await database.query(
      `insert into ${at}.processes (id, version, knows, duties, lives_until, host, told_at)
       values ($1, '1', 1, '{http}', now() - interval '1 minute', $2, now() - interval '1 minute')`,
      [crypto.randomUUID(), marker],
    );
    expect((await get(admin, "/status")).body).toContain(`${marker} (http) fell silent`);
    const asked: string[] = [];
    for (const { name, method, path, operation, inPath } of endpointTable()) {
      if (method !== "GET" || operation.isScoped !== true || inPath.length > 0) continue;
      const { status, body } = await get(cookie, path);
      expect([name, status]).toEqual([name, 200]);
      expect([name, body.includes(marker) || body.includes(outside.id) || body.includes(outside.group)]).toEqual([
        name,
        false,
      ]);
      asked.push(name);
    }
    expect(asked).toEqual(
      expect.arrayContaining(["letters.list", "inbox.list", "queues.list", "audit.list", "fixes.list"]),
    );
    expect((await get<{ n: number }>(cookie, "/letters/count")).json().n).toBe(2);
    expect((await get<{ n: number }>(admin, "/letters/count")).json().n).toBe(4);
    const exported = await server.fromPage(cookie, "/api/v1/letters/export", {});
    expect(exported.json<{ lines: readonly string[] }>().lines).toHaveLength(2);
  });

  it("is told of the rules that name no other queue, and by none of what is outside", async () => {
    const { server, admin, get, outside } = await opened();
    const cookie = await server.signedIn("olga", ["orders-ops"]);
    await trip(server);
    const plan = await planLongAgo(server, outside.id);
    const queues = { outside: [`rabbit/${marker}`], both: ["rabbit/orders", `rabbit/${marker}`], wide: ["rabbit/*"] };
    for (const [name, of] of Object.entries({ ...queues, inside: ["rabbit/orders*"], everywhere: [] }))
      await server.fromPage(admin, `/api/v1/alerts/rules/${name}`, { kind: "depth", queues: of });
    const { items } = (await get<Listed<{ name: string }>>(cookie, "/alerts/rules")).json();
    expect(items.map(({ name }) => name)).toEqual(["everywhere", "inside"]);
    const preview = async (as: string, kind: string) =>
      (await server.fromPage(as, "/api/v1/alerts/rules/x/preview", { kind, over: 0 })).body;
    for (const kind of alertKinds) {
      const body = await preview(cookie, kind);
      expect([kind, body.includes(marker) || body.includes(plan)]).toEqual([kind, false]);
    }
    expect(await preview(admin, "approval"), "a plan that expired while it waited").toContain(plan);
    expect(await preview(cookie, "breaker")).toContain("orders-db");
    for (const kind of ["breaker", "depth", "age", "new"]) expect(await preview(admin, kind)).toContain(marker);
  });

  it("finds what is outside no more than what does not exist", async () => {
    const { server, admin, get, outside, inside } = await opened();
    const cookie = await server.signedIn("olga", ["orders-ops"]);
    const planned = await server.fromPage(admin, "/api/v1/replays", { letters: [outside.id, inside.id] });
    const { id: replay } = planned.json<{ id: string }>();
    const reason = "to see whether it can be done";
    const standing = async () => {
      const { state, rule } = (await get<{ state: string; rule: string }>(admin, `/letters/${outside.id}`)).json();
      return { state, rule };
    };
    const before = await standing();
    const asks = [
      [`/letters/${outside.id}`],
      [`/letters/${outside.id}/outlook`],
      [`/ids/${outside.id}`],
      [`/ids/${outside.group}`],
      [`/groups/${outside.group}`],
      [`/groups/${outside.group}/affected`],
      [`/groups/${outside.group}/outage`],
      [`/replays/${replay}`],
      [`/replays/${replay}/items`],
      [`/onlookers/${outside.id}`, {}],
      [`/onlookers/${outside.group}`, {}],
      [`/onlookers/${replay}`, {}],
      [`/letters/${outside.id}/reveal`, { reason }],
      [`/letters/${outside.id}/body`, {}],
      [`/letters/${outside.id}/body`, { unmaskedBecause: reason }],
      ["/letters/classify", { letters: [outside.id], category: "transient", reason }],
      ["/letters/classify", { letters: [inside.id, outside.id], category: "transient", expectCount: 2, reason }],
      ["/letters/classify", { q: `queue:${marker}`, category: "transient", expectCount: 2, reason }],
      [`/groups/${outside.group}/classify`, { category: "transient", reason }],
      ["/letters/drop", { letters: [outside.id], reason }],
      ["/letters/drop", { letters: [inside.id, outside.id], expectCount: 2, reason }],
      ["/letters/drop", { q: `queue:${marker}`, expectCount: 2, reason }],
      ["/replays", { letters: [outside.id] }],
      ["/replays", { q: `queue:${marker}` }],
      ["/replays", { letters: [inside.id], redirect: marker }],
      [`/replays/${replay}/ask`, { reason }],
      [`/replays/${replay}/exclude`, { items: [1], reason }],
      [`/replays/${replay}/cancel`, { reason }],
      ["/fixes", { group: outside.group, called: "x@2" }],
      [`/letters/${outside.id}/body`, {}],
      ["/letters/classify", { letters: [outside.id], category: "transient", reason }],
      [`/groups/${outside.group}/classify`, { category: "transient", reason, expectCount: 2 }],
    ] as const;
    for (const [path, body] of asks) {
      const response = await server.fromPage(cookie, `/api/v1${path}`, body);
      expect([path, body, response.statusCode]).toEqual([path, body, 404]);
    }
    expect(await standing()).toEqual(before);
  });

  it("does there what their role allows, and reveals where it reveals", async () => {
    const { server, inside } = await opened();
    const reason = "it was cancelled";
    const eyes = await server.signedIn("ed", ["orders-eyes"]);
    const hands = await server.signedIn("olga", ["orders-ops"]);
    const drop = (cookie: string) => server.fromPage(cookie, "/api/v1/letters/drop", { letters: [inside.id], reason });
    const reveal = (cookie: string) => server.fromPage(cookie, `/api/v1/letters/${inside.id}/reveal`, { reason });
    expect((await server.fromPage(eyes, `/api/v1/groups/${inside.group}/affected`)).statusCode).toBe(200);
    expect([(await drop(eyes)).statusCode, (await reveal(eyes)).statusCode]).toEqual([403, 403]);
    expect((await reveal(hands)).statusCode).toBe(200);
    const planned = await server.fromPage(hands, "/api/v1/replays", { letters: [inside.id] });
    expect(planned.statusCode).toBe(200);
    expect((await drop(hands)).statusCode).toBe(200);
  });

  it("is refused what is about the whole office, and told of no such right", async () => {
    const { server } = await opened();
    const cookie = await server.signedIn("olga", ["orders-ops"]);
    const { may } = (await server.fromPage(cookie, "/auth/session")).json<{ may: readonly string[] }>();
    expect(may).toContain("letters.drop");
    for (const { name, method, path, operation } of endpointTable()) {
      if (operation.isScoped === true || !["viewer", "operator"].includes(operation.role)) continue;
      const url = `/api/v1${path.replaceAll(/\{\w+\}/g, "x")}`;
      const valid = name === "letters.import" ? { source: "x", documents: [] } : {};
      const refused = await server.fromPage(cookie, url, method === "POST" ? valid : undefined);
      if (refused.statusCode !== 400) expect([name, refused.statusCode]).toEqual([name, 403]);
      expect(may).not.toContain(name);
    }
  });

  it("reads the log though somebody wrote into it what no database reads", async () => {
    const { server, admin, get, inside } = await opened();
    const reason = "cut \u0000 short \ud800";
    expect(
      (await server.fromPage(admin, "/api/v1/letters/drop", { letters: [inside.id], reason })).statusCode,
    ).toBeLessThan(500);
    const recorded = await server.fromPage(admin, "/api/v1/fixes", { group: inside.group, called: "orders@2" });
    const { id } = recorded.json<{ id: string }>();
    expect((await server.fromPage(admin, `/api/v1/fixes/${id}/retract`, { reason })).statusCode).toBe(200);
    const cookie = await server.signedIn("olga", ["orders-ops"]);
    expect((await get(cookie, "/audit")).status).toBe(200);
  });

  it("has roles of the ledger too, which end when they are taken away", async () => {
    const { server, admin, get } = await opened();
    const role = { is: "viewer", queues: ["*/orders"] };
    expect((await server.fromPage(admin, "/api/v1/people", { id: "una", roles: ["unheard-of"] })).statusCode).toBe(400);
    expect((await server.fromPage(admin, "/api/v1/roles/admin", role)).statusCode).toBe(400);
    expect((await server.fromPage(admin, "/api/v1/roles/orders-ops", role)).statusCode).toBe(400);
    expect((await server.fromPage(admin, "/api/v1/roles/readers", role)).statusCode).toBe(200);
    const cookie = await server.signedIn("una", ["readers"]);
    expect((await get<{ n: number }>(cookie, "/letters/count")).json().n).toBe(2);
    await server.fromPage(admin, "/api/v1/roles/readers/remove", {});
    expect((await get(cookie, "/letters/count")).status).toBe(403);
  });

  it("cuts a token to its queues, and never beyond its owner's", async () => {
    const { server, admin } = await opened();
    const count = async (cookie: string, queues: readonly string[]) => {
      const made = await server.fromPage(cookie, "/api/v1/tokens", { name: "script", queues });
      const authorization = `Bearer ${made.json<{ token: string }>().token}`;
      return (await server.request({ url: "/api/v1/letters/count", headers: { authorization } })).json<{ n: number }>()
        .n;
    };
    const olga = await server.signedIn("olga", ["orders-ops"]);
    expect(await count(admin, [`rabbit/${marker}`])).toBe(2);
    expect(await count(olga, ["*"])).toBe(2);
    expect(await count(olga, [`rabbit/${marker}`])).toBe(0);
  });
});
