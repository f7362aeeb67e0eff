import { beforeAll, describe, expect, it } from "vitest";
import { makeId, uuidOf } from "../../src/domain/ids.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { longestOf, settleWindowS } from "../../src/office/replay/settle-window.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { countsOf, holdLetters, planned, replayWorld, run, started } from "./world.ts";

describe("the time in which silence means nothing yet", () => {
  it("is the longest of what the policy says, consumers report, these letters took, and others took to come back", () => {
    const none = { longestInPlan: 0, usualReturn: 0 };
    expect(longestOf(120, [], none)).toBe(120);
    expect(longestOf(120, [{ retryHorizonS: 600 }, { retryHorizonS: 60 }], none)).toBe(600);
    expect(longestOf(120, [{ retryHorizonS: 600 }], { longestInPlan: 1_000, usualReturn: 900 })).toBe(1_500);
    expect(longestOf(120, [{ retryHorizonS: 600 }], { longestInPlan: 100, usualReturn: 900 })).toBe(900);
  });
});

onEachDatabase("presuming that a letter worked", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const windowOf = (replay: Uint8Array, queue: string) =>
    settleWindowS(ledger, { replay, leastS: 2, places: [{ source: "rabbit", queue, deadLetters: [] }] });

  /** A replay of one letter to a queue of its own, sent. */
  async function sentTo(queue: string, headers: Readonly<Record<string, string>> = {}) {
    const { parts } = replayWorld(ledger, { protocol: { settleS: 0 } });
    const replay = await planned(parts, await holdLetters(ledger, ["a"], { queue, ...headers }));
    await started(parts, replay);
    expect(await run(parts, replay)).toBe("finished");
    return replay;
  }

  it("waits for as long as its consumer may retry", async () => {
    const queue = `orders-${crypto.randomUUID()}`;
    const beat = { queue, schemas: [], inboxWindowS: null, retryHorizonS: 3_600, probe: false };
    const who = { service: "shop", version: "1", instance: "a" };
    await noteHeartbeat(ledger, "rabbit", {
      v: 1,
      kind: "heartbeat",
      ...who,
      queues: [beat],
      at: new Date().toISOString(),
    });
    const { parts } = replayWorld(ledger, { protocol: { settleS: 2 } });
    const replay = await planned(parts, await holdLetters(ledger, ["a"], { queue }));
    await started(parts, replay);
    const stop = new AbortController();
    const running = run(parts, replay, stop.signal);
    await eventually(async () => {
      const { settlesAt, startedAt } = await readReplay(ledger, ledger.database, { id: replay });
      expect((settlesAt ?? 0) - (startedAt ?? 0)).toBeGreaterThanOrEqual(3_600_000);
    });
    stop.abort();
    expect(await running).toBe("stopped");
    expect(await countsOf(parts, replay)).toMatchObject({ presumed: 0, waiting: 1 });
  });

  it("waits for half as long again as these letters took to fail for good", async () => {
    const queue = `orders-${crypto.randomUUID()}`;
    const replay = await sentTo(queue);
    const { database, at } = ledger;
    await database.query(
      `update ${at}.letters set first_failed_at = failed_at - interval '100 s', failed_at_by = 'letter'
       where id in (select letter_id from ${at}.replay_items where replay_id = $1)`,
      [uuidOf(replay)],
    );
    expect(await windowOf(replay, queue)).toBeCloseTo(150, 0);
  });

  it("waits for as long as letters usually took to come back from there", async () => {
    const queue = `orders-${crypto.randomUUID()}`;
    const replay = await sentTo(queue);
    const { database, at } = ledger;
    await database.query(
      `insert into ${at}.sends (replay_id, n, letter_id, source, queue, payload_sha256, sent_at, returned_at)
       select $1, n, $2, 'rabbit', $3, '', ${at}.clock() - n * interval '1 s', ${at}.clock() from generate_series(1, 100) as n`,
      [uuidOf(makeId(Date.now(), crypto.randomUUID())), uuidOf(makeId(Date.now(), crypto.randomUUID())), queue],
    );
    expect(await windowOf(replay, queue)).toBeCloseTo(99, 0);
    expect(await windowOf(replay, "another")).toBe(2);
  });
});
