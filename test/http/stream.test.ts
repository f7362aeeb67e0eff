import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { failureText } from "../../src/cli/server/failure-text.ts";
import { type Heard, piecesOf, readEvents, type StreamEvent } from "../../src/http/event-stream.ts";
import type { StreamLimits } from "../../src/http/stream.ts";
import { recordAction } from "../../src/ledger/audit.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { changeFeed } from "../../src/office/stream/change-feed.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { tester } from "../ledger/letters.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { freePort } from "../servers/server-process.ts";
import { cookieAt } from "./cookie-at.ts";
import { type TestServer, testServer } from "./open-server.ts";

const minuteMs = 60_000;

interface Listening {
  readonly heard: readonly Heard[];
  readonly status: number;
  /** Of the changes, in the order they came. */
  ids(): readonly string[];
  last(): string;
  stop(): void;
  readonly ended: Promise<void>;
}

type Known = string | { readonly authorization: string };

/** By a cookie, or by a token. */
async function listen(port: number, known: Known, query = ""): Promise<Listening> {
  const stop = new AbortController();
  // A session is good for every process of an office.
  const headers = typeof known === "string" ? { cookie: cookieAt(port, known) } : known;
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/stream${query}`, { headers, signal: stop.signal });
  const heard: Heard[] = [];
  const events = () => heard.filter((each): each is StreamEvent => each !== "beat");
  const ended = (async () => {
    if (response.body === null) return;
    for await (const each of readEvents(piecesOf(response.body))) heard.push(each);
  })().catch(() => {});
  return {
    heard,
    status: response.status,
    ids: () =>
      events()
        .filter(({ event }) => event === "change")
        .map(({ data }) => (JSON.parse(data) as { readonly id: string }).id),
    last: () => events().at(-1)?.id ?? "",
    stop: () => stop.abort(),
    ended,
  };
}

/** Asks for the stream, and reads nothing of it. */
function ask(port: number, cookie: string): Socket {
  const lines = ["GET /api/v1/stream HTTP/1.1", `host: 127.0.0.1:${port}`, `cookie: ${cookie}`, "", ""];
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.pause().write(lines.join("\r\n"));
  return socket;
}

function named(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, n) => `ltr_${from + n}`);
}

function tell(ledger: Ledger, first: string): Promise<void> {
  const action = { action: "letters.dropped", details: { first } };
  return recordAction(ledger, ledger.database, { at: Date.now(), actor: tester, ...action });
}

/** Somebody who reads nothing, with more waiting for them than the buffers of a connection hold. */
async function deaf(ledger: Ledger, port: number, cookie: string, reader: string): Promise<Socket> {
  const hearing = await listen(port, reader);
  const socket = ask(port, cookie);
  // Somebody whom a busy server has not let in yet would have no place, and nothing waiting.
  await once(socket.resume(), "data");
  socket.pause();
  await eventually(() => expect(hearing.heard).not.toEqual([]));
  for (let n = 0; n < 24; n++) await tell(ledger, "x".repeat(1_000_000));
  await eventually(() => expect(hearing.ids()).toHaveLength(24), { withinMs: 3 * minuteMs });
  hearing.stop();
  await hearing.ended;
  return socket;
}

onEachDatabase("the live stream", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  async function serving(limits: StreamLimits = {}) {
    const port = await freePort();
    const server: TestServer = testServer(ledger, { port, limits });
    const close = await server.listen();
    return { port, server, close };
  }

  const drop = async (from: number, to: number) => {
    for (const first of named(from, to)) await tell(ledger, first);
  };

  it("goes on after a break where it was, at another process too: nothing missing, nothing twice", async () => {
    const [one, two] = [await serving(), await serving()];
    const cookie = await one.server.signedIn("ana");
    const first = await listen(one.port, cookie);
    await eventually(() => expect(first.heard).not.toEqual([]));
    await drop(1, 30);
    await eventually(() => expect(first.ids().length).toBeGreaterThan(9));
    first.stop();
    await first.ended;
    await drop(31, 60);
    const second = await listen(two.port, cookie, `?after=${first.last()}`);
    await drop(61, 70);
    await eventually(() => expect([...first.ids(), ...second.ids()]).toEqual(named(1, 70)), { withinMs: minuteMs });
    second.stop();
    await Promise.all([one.close(), two.close()]);
  });

  it(
    "tells who was away too long, or comes from another ledger, to look at everything again",
    async () => {
      const { port, server, close } = await serving();
      const cookie = await server.signedIn("ana");
      const lost = await listen(port, cookie, "?after=999999999");
      await eventually(() => expect(lost.heard).toContainEqual(expect.objectContaining({ event: "reset" })));
      const entry = Buffer.from(JSON.stringify({ action: "letters.dropped" }));
      await ledger.database.query(`select ${ledger.at}.append_audit($1) from generate_series(1, 1001)`, [entry]);
      const late = await listen(port, cookie, "?after=1");
      await eventually(() => expect(late.heard).toContainEqual(expect.objectContaining({ event: "reset" })));
      expect(late.ids()).toEqual([]);
      await close();
    },
    3 * minuteMs,
  );

  it("tells somebody who was away nothing twice, however much is written while it looks", async () => {
    await drop(1, 3);
    const feed = changeFeed(ledger, systemClock, { lookEveryMs: minuteMs });
    const now = await feed.now();
    await drop(4, 5);
    const wait = { waitMs: 0, signal: new AbortController().signal };
    const caughtUp = await feed.after({ ...now, n: now.n - 3 }, wait);
    expect(caughtUp).toMatchObject({ changes: [{ id: "ltr_1" }, { id: "ltr_2" }, { id: "ltr_3" }] });
    expect(await feed.after(caughtUp.position, wait)).toMatchObject({ kind: "changes", changes: [] });
  });

  it("tells only of what was asked for, and shows with comments that the line is not dead", async () => {
    const { port, server, close } = await serving({ beatMs: 100 });
    const cookie = await server.signedIn("ana");
    const listening = await listen(port, cookie, "?topics=replay");
    await drop(1, 1);
    const details = { replay: "rpl_1", reason: "it is night" };
    await recordAction(ledger, ledger.database, { at: Date.now(), actor: tester, action: "replay.paused", details });
    await eventually(() => expect(listening.ids()).toEqual(["rpl_1"]));
    await eventually(() => expect(listening.heard).toContain("beat"));
    // Why somebody did it, and who, is for those who ask the office.
    expect(JSON.stringify(listening.heard)).not.toMatch(/night|tester/);
    await close();
  });

  it("tells somebody who may see some queues that something changed, and not what", async () => {
    const { port, server, close } = await serving();
    const made = await server.fromPage(await server.signedIn("ana"), "/api/v1/tokens", {
      ...{ name: "orders only", queues: ["rabbit/orders"] },
    });
    const { token } = made.json() as { readonly token: string };
    const limited = await listen(port, { authorization: `Bearer ${token}` });
    expect(limited.status).toBe(200);
    await eventually(() => expect(limited.heard).not.toEqual([]));
    await drop(1, 3);
    await eventually(() => expect(limited.ids()).not.toEqual([]));
    expect(new Set(limited.ids())).toEqual(new Set([null]));
    await close();
  });

  it("says bye to a session that is over, and ends", async () => {
    const { port, server, close } = await serving({ checkMs: 100 });
    const cookie = await server.signedIn("bob", ["viewer"]);
    const listening = await listen(port, cookie);
    await eventually(() => expect(listening.heard).not.toEqual([]));
    await server.fromPage(cookie, "/auth/sign-out", {});
    await listening.ended;
    expect(listening.heard.at(-1)).toMatchObject({ event: "bye", data: '{"code":"actor.not_signed_in"}' });
    expect((await listen(port, cookie)).status).toBe(401);
    await close();
  });

  it("says bye to somebody who lost their roles", async () => {
    const { port, server, close } = await serving({ checkMs: 100 });
    const cookie = await server.signedIn("cyd", ["viewer"]);
    const listening = await listen(port, cookie);
    await eventually(() => expect(listening.heard).not.toEqual([]));
    await ledger.database.query(`update ${ledger.at}.people set roles = '{}' where id = 'cyd'`, []);
    await listening.ended;
    expect(listening.heard.at(-1)).toMatchObject({ event: "bye", data: '{"code":"actor.not_allowed"}' });
    await close();
  });

  it("is served to one more, however many left as soon as they had asked", { timeout: 5 * minuteMs }, async () => {
    const { port, server, close } = await serving();
    const cookie = await server.signedIn("ana");
    for (let n = 0; n < 300; n++) {
      const socket = ask(port, cookie);
      await new Promise<void>((sent) => socket.write("", () => sent()));
      socket.destroy();
    }
    await eventually(async () => {
      const one = await listen(port, cookie);
      one.stop();
      expect(one.status).toBe(200);
    });
    await close();
  });

  it("does not keep the server from ending where nobody reads it", { timeout: 5 * minuteMs }, async () => {
    const { port, server, close } = await serving();
    const cookie = await server.signedIn("ana");
    const socket = await deaf(ledger, port, cookie, cookie);
    await close();
    socket.destroy();
  });

  it("ends with the session where nobody reads it", { timeout: 5 * minuteMs }, async () => {
    const { port, server, close } = await serving({ checkMs: 100, atOnce: 2 });
    const [cookie, reader] = [await server.signedIn("dan", ["viewer"]), await server.signedIn("ana")];
    const socket = await deaf(ledger, port, cookie, reader);
    const others: Listening[] = [];
    // The place of somebody who left is free once the server has noticed, and not before.
    const oneMore = () =>
      eventually(async () => {
        others.push(await listen(port, reader));
        expect(others.at(-1)?.status).toBe(200);
      });
    await oneMore();
    expect((await listen(port, reader)).status).toBe(503);
    await server.fromPage(cookie, "/auth/sign-out", {});
    await oneMore();
    for (const each of others) each.stop();
    socket.destroy();
    await close();
  });

  it("leaves places to others, however many one person opens", async () => {
    const { port, server, close } = await serving({ perPerson: 2 });
    const [many, other] = [await server.signedIn("max", ["viewer"]), await server.signedIn("ana")];
    const own = [await listen(port, many), await listen(port, many)];
    expect(own.map(({ status }) => status)).toEqual([200, 200]);
    expect((await listen(port, many)).status).toBe(503);
    expect(server.failures.map(failureText)).toEqual([
      expect.stringMatching(/^\S+ GET \/api\/v1\/stream: Too many streams are open\. [^\n]+$/),
    ]);
    const others = await listen(port, other);
    expect(others.status).toBe(200);
    own[0]?.stop();
    await eventually(async () => {
      const again = await listen(port, many);
      own.push(again);
      expect(again.status).toBe(200);
    });
    for (const each of [...own, others]) each.stop();
    await close();
  });

  it("ends with the server, and does not keep it from ending", async () => {
    const { port, server, close } = await serving();
    const listening = await listen(port, await server.signedIn("ana"));
    await eventually(() => expect(listening.heard).not.toEqual([]));
    await close();
    await listening.ended;
    expect(listening.heard.at(-1)).toMatchObject({ event: "bye" });
  });
});
