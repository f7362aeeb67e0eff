import { describe, expect, it } from "vitest";
import { metricsText } from "../../src/http/metrics.ts";
import { serveMetrics } from "../../src/http/serve-metrics.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { freePort } from "../servers/server-process.ts";
import { useLedger } from "./open-server.ts";

describe("/metrics", () => {
  const ledger = useLedger();

  it("counts letters, the oldest, arrivals and replays, for a viewer's token", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const letters = ["orders", "orders", "wages"].map((queue, n) => ({
      letter: deadLetter({ body: `${n}`, headers: { queue, class: "TimeoutError", message: "timed out" } }),
      found: { kind: "position", position: `${n}` } as const,
    }));
    await hold(server.ledger, letters);
    expect((await server.request({ url: "/metrics" })).statusCode).toBe(401);
    const viewer = await server.signedIn("vic", ["viewer"]);
    const made = await server.fromPage(viewer, "/api/v1/tokens", { name: "prometheus", operations: ["figures.get"] });
    const headers = { authorization: `Bearer ${made.json<{ token: string }>().token}` };
    const { body, headers: answered } = await server.request({ url: "/metrics", headers });
    expect(answered["content-type"]).toContain("text/plain; version=0.0.4");
    expect(body).toContain('dlo_letters{source="rabbit",queue="orders",category="unknown",state="open"} 2\n');
    expect(body).toContain('dlo_letters_arrived_total{source="rabbit",queue="wages"} 1\n');
    expect(body).toMatch(/dlo_oldest_letter_seconds\{source="rabbit",queue="orders"\} \d/);
    expect(body).toContain("# TYPE dlo_replays gauge\n");
    expect(body).toContain("dlo_database_waits 0\n");
    const planned = await server.fromPage(cookie, "/api/v1/replays", { q: "queue:orders" });
    expect(planned.statusCode).toBe(200);
    expect((await server.request({ url: "/metrics", headers })).body).toContain('dlo_replays{state="planned"} 1\n');
  });

  it("shows somebody of some queues those alone", async () => {
    const server = await ledger.open({ roles: [{ name: "wages", is: "viewer", queues: ["*/wages"], reveals: false }] });
    const { body } = await server.fromPage(await server.signedIn("wes", ["wages"]), "/metrics");
    expect(body).toContain('queue="wages"');
    expect(body).not.toMatch(/queue="orders"|dlo_replays\{/);
  });

  it("writes names of strangers so that they stay names", () => {
    const letters = [{ source: 'a"b', queue: "c\\d\ne", category: "unknown", state: "open", n: 1 }];
    const text = metricsText({
      letters,
      oldest: [],
      arrived: [],
      replays: [],
      processes: [],
      drains: [],
      keys: [{ source: "rabbit", queue: "accounts", state: "dead", n: 2, behind: 7, oldestS: 60 }],
      keysUnchecked: ["kafka"],
      retention: null,
      databaseWaits: 0,
    });
    expect(text).toContain('dlo_blocked_key_messages{source="rabbit",queue="accounts",state="dead"} 7\n');
    expect(text).toContain('dlo_blocked_keys_unchecked{source="kafka"} 1\n');
    expect(text).toContain('dlo_letters{source="a\\"b",queue="c\\\\d\\ne",category="unknown",state="open"} 1\n');
  });

  it("is alone on a port of its own", async () => {
    const port = await freePort();
    let isAway = false;
    const read = async () => {
      if (isAway) throw new Error("away");
      return "dlo_letters 1\n";
    };
    const { close } = await serveMetrics({ host: "127.0.0.1", port }, read);
    try {
      const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
      expect(await (await ask("/metrics")).text()).toBe("dlo_letters 1\n");
      expect((await ask("/api/v1/letters")).status).toBe(404);
      isAway = true;
      expect((await ask("/metrics")).status).toBe(503);
    } finally {
      await close();
    }
  });
});
