import { beforeAll, expect, it } from "vitest";
import { uuidOf } from "../../src/domain/ids.ts";
import { giveUpLead, intendItems, type Lead, leadReplay } from "../../src/ledger/lead-replay.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { driftItems, moveReplay } from "../../src/ledger/replay-moves.ts";
import { doubtAbandoned } from "../../src/ledger/settle-doubt.ts";
import { endedSettler } from "../../src/office/replay/seek-evidence.ts";
import { pauseReplay, resume } from "../../src/office/replay/steer-replay.ts";
import { plainLine, type SendLine } from "../../src/sources/send-line.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { countsOf, holdLetters, itemsOf, operator, planned, replayWorld, run, started, stateOf } from "./world.ts";

onEachDatabase("whoever leads a replay", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  it("keeps what it has in its hands after a pause, for as long as its broker does not answer", async () => {
    const broker = new EventTarget();
    const onSend = () => new Promise<void>((resolve) => broker.addEventListener("answers", () => resolve()));
    const { parts } = replayWorld(ledger, { protocol: { ramp: [] }, onSend });
    const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
    await started(parts, replay);
    const running = run(parts, replay, new AbortController().signal, {
      leaseMs: 60_000,
      beatMs: 20,
      awayMs: 60_000,
    });
    const progress = async () => (await itemsOf(parts, replay)).map((item) => item.progress);
    await eventually(async () => expect(await progress()).toEqual(["sending", "sending"]));
    await pauseReplay(parts, operator, { replay, reason: "lunch" });
    const whenPaused = await leaseUntil(replay);
    await eventually(async () => expect(await leaseUntil(replay)).toBeGreaterThan(whenPaused));
    await doubtAbandoned(ledger, ledger.database, replay);
    expect(await progress()).toEqual(["sending", "sending"]);
    broker.dispatchEvent(new Event("answers"));
    expect(await running).toBe("paused");
    expect(await countsOf(parts, replay)).toMatchObject({ waiting: 2, inDoubt: 0 });
  });

  it("decides nothing any more once it slept and somebody else leads", async () => {
    const { parts } = replayWorld(ledger, { protocol: { ramp: [] } });
    const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
    await started(parts, replay);
    const asleep = await leadReplay(ledger, replay, 1);
    if (asleep === null) throw new Error("Nobody else could have led it.");
    const successor = await eventuallyLeads(replay);
    const { epoch } = asleep;
    const drifted = [{ n: 1, reason: "destination.missing" }];
    for (const to of ["paused", "finished"] as const) {
      expect(await moveReplay(ledger, ledger.database, { id: replay, epoch, from: ["running"], to })).toBe(false);
    }
    await driftItems(ledger, asleep, drifted);
    expect(await countsOf(parts, replay)).toMatchObject({ drifted: 0, notYetSent: 2 });
    await driftItems(ledger, successor, drifted);
    expect(await countsOf(parts, replay)).toMatchObject({ drifted: 1, notYetSent: 1 });
    const own = { id: replay, epoch: successor.epoch, from: ["running"], to: "paused" } as const;
    expect(await moveReplay(ledger, ledger.database, own)).toBe(true);
  });

  it("does not end a replay that was taken over while it looked at how that stands", async () => {
    const { parts } = replayWorld(ledger, { protocol: { ramp: [] } });
    const replay = await planned(parts, await holdLetters(ledger, ["a"]));
    await started(parts, replay);
    const overtaken = async () => {
      // As if its process had slept here for longer than its lease.
      await ledger.database.query(`update ${ledger.at}.replays set lease_until = null where id = $1`, [uuidOf(replay)]);
      expect(await leadReplay(ledger, replay, 60_000)).not.toBeNull();
      return true;
    };
    const slow = { ...parts, watch: async () => overtaken };
    const running = run(slow, replay, new AbortController().signal, {
      leaseMs: 60_000,
      beatMs: 30_000,
      awayMs: 60_000,
    });
    expect(await running).toBe("led elsewhere");
    expect(await stateOf(parts, replay)).toBe("running");
  });

  it("begins after a resume only when nobody looks any more for what was left in doubt, which would end its window", async () => {
    let isShutOut = false;
    const lines: string[] = [];
    const log = new EventTarget();
    const line: SendLine = {
      ...plainLine(async () => void lines.push(isShutOut ? "withdrawn" : "sent")),
      async findOut(lost) {
        // As on Kafka: who looks shuts out whoever sends, from the beginning to the end of it.
        isShutOut = true;
        lines.push(`looks for ${lost.length}`);
        await new Promise((resolve) => log.addEventListener("read", resolve, { once: true }));
        isShutOut = false;
        return new Map([[1, "unsent"]]);
      },
    };
    const world = replayWorld(ledger, { protocol: { ramp: [] } });
    const parts = { ...world.parts, line: async () => line };
    const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
    await started(parts, replay);
    const dead = await leadReplay(ledger, replay, 60_000);
    if (dead === null) throw new Error("Nobody else could have led it.");
    await intendItems(ledger, dead, [1]);
    await pauseReplay(parts, operator, { replay, reason: "lunch" });
    await giveUpLead(ledger, dead);
    const looking = endedSettler(parts, operator)();
    await eventually(() => expect(lines).toEqual(["looks for 1"]));
    await resume(parts, operator, { replay, reason: "back" });
    expect(await run(parts, replay)).toBe("led elsewhere");
    log.dispatchEvent(new Event("read"));
    await looking;
    expect(await run(parts, replay)).toBe("finished");
    expect(lines).toEqual(["looks for 1", "sent", "sent"]);
  });

  /** In milliseconds since 1970. */
  async function leaseUntil(replay: Uint8Array): Promise<number> {
    const sql = `select lease_until as "until" from ${ledger.at}.replays where id = $1`;
    const { rows } = await ledger.database.query<{ until: Date | null }>(sql, [uuidOf(replay)]);
    return rows[0]?.until?.getTime() ?? 0;
  }

  async function eventuallyLeads(replay: Uint8Array): Promise<Lead> {
    for (;;) {
      const lead = await leadReplay(ledger, replay, 60_000);
      if (lead !== null) return lead;
    }
  }
});
