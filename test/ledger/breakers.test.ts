import { expect, it } from "vitest";
import type { BreakerReport } from "../../src/domain/report.ts";
import { noteBreaker, trippedBreakers } from "../../src/ledger/breakers.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { onEachDatabase } from "../servers/each-database.ts";

const who = { v: 1, service: "shop", version: "1" } as const;
const startedAt = Date.now() - 60_000;
const at = (second: number) => new Date(startedAt + second * 1_000).toISOString();

onEachDatabase("breakers that consumers report", (used) => {
  it("count as the last word of each process has them, while heartbeats come along", async () => {
    const ledger = await openLedger({ database: used.database });
    const queue = { queue: "orders", schemas: [], inboxWindowS: null, retryHorizonS: 1, probe: false };
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
});
