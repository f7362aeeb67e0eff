import { expect, it } from "vitest";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { listConsumers } from "../../src/ledger/list-consumers.ts";
import { readQueueRoutes } from "../../src/ledger/search/queue-routes.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { deadLetter, hold } from "./letters.ts";

describeServer("what a topology is read from", noPostgres, () => {
  const postgres = usePostgres();

  it("knows where a queue dies, however many letters came to one of its name in another source since", async () => {
    const ledger = await openLedger({ database: postgres.database, schema: "routes" });
    const letters = (source: string, n: number) =>
      Array.from({ length: n }, (_, at) => ({
        letter: deadLetter(
          { headers: { queue: "orders", class: "TimeoutError", message: "timed out", id: `${source}-${at}` } },
          { queue: `${source}.dlq` },
        ),
        found: { kind: "position", position: `${source}-${at}` } as const,
      }));
    for (const [source, n] of [
      ["us", 1],
      ["eu", 30],
    ] as const)
      await hold(ledger, letters(source, n), { source });
    await ledger.database.query(`select ${ledger.at}.fold_counters(1000)`, []);
    const places = ["eu", "us"].map((source) => ({ source, queue: "orders" }));
    expect(await readQueueRoutes(ledger, places)).toEqual([
      { source: "eu", queue: "orders", deadLetters: ["eu.dlq"], sentTo: [] },
      { source: "us", queue: "orders", deadLetters: ["us.dlq"], sentTo: [] },
    ]);
  });

  it("lists the consumers of somebody's queues before it counts how many there are", async () => {
    const ledger = await openLedger({ database: postgres.database, schema: "routes" });
    const heard = { v: 1, version: "1", instance: "a", at: new Date().toISOString(), kind: "heartbeat" } as const;
    for (const name of ["alpha", "zebra"]) {
      const queue = { queue: name, schemas: [], inboxWindowS: null, retryHorizonS: 1, probe: false };
      await noteHeartbeat(ledger, "rabbit", { ...heard, service: name, queues: [queue] });
    }
    const scoped = { ...ledger, scope: [["rabbit/zebra*"]] };
    expect((await listConsumers(scoped, 1)).map(({ service }) => service)).toEqual(["zebra"]);
  });
});
