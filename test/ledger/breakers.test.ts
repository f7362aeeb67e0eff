import { expect, it } from "vitest";
import type { BreakerReport } from "../../src/domain/report.ts";
import { noteBreaker, trippedBreakers } from "../../src/ledger/breakers.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { listBreakers } from "../../src/ledger/list-breakers.ts";
import { onEachDatabase } from "../servers/each-database.ts";

const who = { v: 1, service: "shop", version: "1" } as const;
const startedAt = Date.now() - 60_000;
const at = (second: number) => new Date(startedAt + second * 1_000).toISOString();

/** Before that: however long a test takes, all it says is this far apart. */
const ago = (second: number) => at(-second);
const queue = { queue: "orders", schemas: [], inboxWindowS: null, retryHorizonS: 1, probe: false };

onEachDatabase("breakers that consumers report", (used) => {
  it("count as the last word of each process has them, while heartbeats come along", async () => {
    const ledger = await openLedger({ database: used.database });
    const say = (second: number, instance: string, state: BreakerReport["state"]) =>
      noteBreaker(ledger, "s", {
        ...{ ...who, kind: "breaker", queue: "orders", name: "payments", instance, state },
        ...{ since: at(second), at: at(second) },
      });
    const tripped = async () => (await trippedBreakers(ledger, ["orders"])).get("s/orders") ?? [];

    await say(1, "a", "open");
    expect(await tripped()).toEqual([]);
    await noteHeartbeat(ledger, "s", { ...who, kind: "heartbeat", instance: "a", queues: [queue], at: at(1) });
    expect(await tripped()).toEqual([{ name: "payments", state: "open", since: startedAt + 1_000 }]);

    await say(4, "a", "closed");
    await say(3, "a", "half-open");
    expect(await tripped()).toEqual([]);

    await say(5, "a", "half-open");
    expect(await tripped()).toMatchObject([{ state: "half-open" }]);
    await say(6, "b", "open");
    expect(await tripped()).toMatchObject([{ state: "open" }]);

    // Both are gone without a word, and another process is at work.
    await used.database.query("update dlo.breakers set heard_at = heard_at - interval '2 min'", []);
    await noteHeartbeat(ledger, "s", { ...who, kind: "heartbeat", instance: "c", queues: [queue], at: at(7) });
    expect(await tripped()).toEqual([]);
  });

  it("are not closed since they first opened, however often they try in between whether they may close", async () => {
    const ledger = await openLedger({ database: used.database });
    const say = (second: number, state: BreakerReport["state"], instance = "tries") =>
      noteBreaker(ledger, "t", {
        ...{ ...who, kind: "breaker", queue: "orders", name: "cards", instance, state },
        ...{ since: ago(second), at: ago(second) },
      });
    const lasts = async () => {
      const breaker = (await listBreakers(ledger)).find(({ name }) => name === "cards");
      return [breaker?.state, breaker?.since];
    };
    await noteHeartbeat(ledger, "t", { ...who, kind: "heartbeat", instance: "tries", queues: [queue], at: ago(0) });
    for (let second = 400; second > 0; second -= 30) {
      await say(second, "open");
      await say(second - 1, "half-open");
    }
    expect(await lasts()).toEqual(["half-open", ago(400)]);
    // Another process of the same service sees it later, and says worse.
    await say(30, "open", "other");
    expect(await lasts()).toEqual(["open", ago(400)]);
    await say(5, "closed");
    await say(5, "closed", "other");
    expect(await lasts()).toEqual(["closed", ago(5)]);
    await say(0, "open");
    expect(await lasts()).toEqual(["open", ago(0)]);
  });

  it("are believed to have closed where nothing was said of them for long, as heartbeats do while they are open", async () => {
    const ledger = await openLedger({ database: used.database });
    await noteHeartbeat(ledger, "u", { ...who, kind: "heartbeat", instance: "a", queues: [queue], at: ago(0) });
    for (const second of [400, 100]) {
      const said = { ...who, kind: "breaker", queue: "orders", name: "mails", instance: "a", state: "open" } as const;
      await noteBreaker(ledger, "u", { ...said, since: ago(second), at: ago(second) });
    }
    const [breaker] = (await listBreakers(ledger)).filter(({ source }) => source === "u");
    expect(breaker?.since).toBe(ago(100));
  });
});
