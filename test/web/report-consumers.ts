import { noteBreaker } from "../../src/ledger/breakers.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";

/** Two processes of one service at work, of which one says that its breaker is open. */
export async function reportConsumers(ledger: Ledger, queue: string): Promise<void> {
  for (const [instance, state] of [
    ["a", "open"],
    ["b", "closed"],
  ] as const) {
    const who = { v: 1, service: "shop", version: "2.15.0", instance, at: new Date().toISOString() } as const;
    const queues = [
      {
        queue,
        schemas: [{ name: "order", versions: ["2", "3"] }],
        inboxWindowS: null,
        retryHorizonS: 60,
        probe: false,
      },
    ];
    await noteHeartbeat(ledger, "rabbit", { ...who, kind: "heartbeat", queues });
    await noteBreaker(ledger, "rabbit", {
      ...who,
      kind: "breaker",
      queue,
      name: "payments",
      state,
      since: who.at,
    });
  }
  // However long the tests take that look at them.
  await ledger.database.query(`update ${ledger.at}.consumers set last_seen_at = last_seen_at + interval '1 hour'`);
  await ledger.database.query(`update ${ledger.at}.breakers set heard_at = heard_at + interval '1 hour'`);
}
