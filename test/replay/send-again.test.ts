import { beforeAll, expect, it } from "vitest";
import { OfficeError } from "../../src/domain/errors.ts";
import { hexOf, uuidOf } from "../../src/domain/ids.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { intendItems, leadReplay, settleItems } from "../../src/ledger/lead-replay.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { doubtAbandoned, findDoubtful } from "../../src/ledger/settle-doubt.ts";
import { endedSettler } from "../../src/office/replay/seek-evidence.ts";
import { findRepeatable } from "../../src/office/replay/send-again.ts";
import { cancel } from "../../src/office/replay/steer-replay.ts";
import { plainLine, type SendLine } from "../../src/sources/send-line.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import {
  bodiesOf,
  countsOf,
  holdLetters,
  itemsOf,
  lapse,
  letterStates,
  operator,
  planned,
  replayOf,
  replayWorld,
  run,
  started,
} from "./world.ts";

onEachDatabase("a send in doubt of which its broker cannot tell", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  /** A leader died with both letters in its hands; consumers there report these inboxes. */
  async function interrupted(
    windows: readonly (number | null)[],
    headers: Readonly<Record<string, string>>,
    { onSend, otherGroups = [] }: { readonly onSend?: () => void; readonly otherGroups?: readonly string[] } = {},
  ) {
    const queue = `orders-${crypto.randomUUID()}`;
    const { parts: usual, sent } = replayWorld(ledger, { protocol: { ramp: [] }, ...(onSend && { onSend }) });
    let isShared = false;
    const look: typeof usual.look = async (...place) => {
      const facts = await usual.look(...place);
      return facts.kind === "known" && isShared ? { ...facts, otherGroups } : facts;
    };
    const parts = { ...usual, look };
    const letters = await holdLetters(ledger, ["a", "b"], { queue, ...headers });
    const replay = await planned(parts, letters);
    await started(parts, replay);
    const dead = await leadReplay(ledger, replay, 60_000);
    if (dead === null) throw new Error("Nobody else could have led it.");
    expect((await intendItems(ledger, dead, [1, 2])).items).toEqual(new Set([1, 2]));
    for (const [index, inboxWindowS] of windows.entries()) {
      await reportInbox(ledger, queue, { instance: `i-${index}`, inboxWindowS });
    }
    isShared = true;
    await lapse(ledger, replay);
    expect(await run(parts, replay)).toBe("finished");
    return { parts, sent, letters, replay, counts: await countsOf(parts, replay) };
  }

  it("is sent again under the same mark where its consumer's inbox would catch a second copy", async () => {
    const { sent, counts } = await interrupted([86_400, 86_400], { "idempotency-key": "k-1" });
    expect(counts).toMatchObject({ inDoubt: 0, sent: 2 });
    expect(sent.map(replayOf).map((mark) => mark.split("/")[1])).toEqual(["1", "2"]);
  });

  it("is sent again though more than a batch of others stand before it that are not", async () => {
    const [elsewhere, queue] = [`orders-${crypto.randomUUID()}`, `orders-${crypto.randomUUID()}`];
    const { parts, sent } = replayWorld(ledger, { protocol: { ramp: [], batch: 2 } });
    const letters = [
      ...(await holdLetters(ledger, ["a", "b"], { queue: elsewhere, "idempotency-key": "k-7" })),
      ...(await holdLetters(ledger, ["c", "d"], { queue })),
      ...(await holdLetters(ledger, ["e", "f", "g"], { queue, "idempotency-key": "k-8" })),
    ];
    const replay = await planned(parts, letters);
    const numbers = (await itemsOf(parts, replay)).map(({ n }) => n);
    await started(parts, replay);
    const dead = await leadReplay(ledger, replay, 60_000);
    if (dead === null) throw new Error("Nobody else could have led it.");
    await intendItems(ledger, dead, numbers);
    await reportInbox(ledger, queue, { instance: "i", inboxWindowS: 86_400 });
    await lapse(ledger, replay);
    expect(await run(parts, replay)).toBe("finished");
    expect(bodiesOf(sent)).toEqual(["e", "f", "g"]);
    expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 4, sent: 3 });
  });

  it("stays in doubt where the second copy is refused: the first may have arrived, and may come back", async () => {
    const refused = () => {
      throw new OfficeError("QUEUE_NOT_FOUND", "There is no such queue any more.");
    };
    const { parts, letters, replay, counts } = await interrupted(
      [86_400],
      { "idempotency-key": "k-5" },
      { onSend: refused },
    );
    expect(counts).toMatchObject({ inDoubt: 2, notYetSent: 0, drifted: 0 });
    expect(await letterStates(ledger, letters)).toEqual(["in_doubt", "in_doubt"]);
    expect(await findDoubtful(ledger, replay, 1)).toHaveLength(2);
    await settleItems(ledger, ledger.database, { replay, numbers: [1], outcome: "returned" });
    expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 1, returned: 1 });
  });

  it("stays in doubt where other groups would get the second copy too", async () => {
    const { sent, replay, parts, counts } = await interrupted(
      [86_400],
      { "idempotency-key": "k-6" },
      { otherGroups: ["audit"] },
    );
    expect(sent).toEqual([]);
    expect(counts).toMatchObject({ inDoubt: 2, sent: 0 });
    expect(await findRepeatable(parts, replay)).toEqual([]);
    const alone: typeof parts.look = async (...place) => {
      const facts = await parts.look(...place);
      return facts.kind === "known" ? { ...facts, otherGroups: [] } : facts;
    };
    expect(await findRepeatable({ ...parts, look: alone }, replay)).toEqual([1, 2]);
  });

  it.each([
    ["without anybody who reports", [], { "idempotency-key": "k-2" }],
    ["where one consumer has no inbox", [86_400, null], { "idempotency-key": "k-3" }],
    ["where an inbox forgets too soon", [1], { "idempotency-key": "k-4" }],
    ["without a key to know it by", [86_400], {}],
  ] as const)("stays in doubt %s", async (_, windows, headers) => {
    const { sent, counts } = await interrupted(windows, headers);
    expect(sent).toEqual([]);
    expect(counts).toMatchObject({ inDoubt: 2, sent: 0 });
  });
});

onEachDatabase("a send in doubt of a replay that was cancelled", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  /** Its leader died with both letters in its hands. */
  async function cancelled() {
    const { parts } = replayWorld(ledger, { protocol: { ramp: [] } });
    const letters = await holdLetters(ledger, ["a", "b"]);
    const replay = await planned(parts, letters);
    await started(parts, replay);
    const dead = await leadReplay(ledger, replay, 60_000);
    if (dead === null) throw new Error("Nobody else could have led it.");
    await intendItems(ledger, dead, [1, 2]);
    await cancel(parts, operator, { replay, reason: "wrong ones" });
    await lapse(ledger, replay);
    return { parts, letters, replay };
  }

  const findOut: SendLine["findOut"] = async () =>
    new Map([
      [1, "sent"],
      [2, "unsent"],
    ]);

  it("is settled by what its broker tells, though nobody leads the replay", async () => {
    const { parts, letters, replay } = await cancelled();
    const line = async () => ({ ...plainLine(async () => {}), findOut });
    await endedSettler({ ...parts, line }, operator)();
    expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 0, unknown: 1, released: 1 });
    expect(await letterStates(ledger, letters)).toEqual(["sent", "open"]);
  });

  it("is looked for behind any number of which no broker tells, and of one that does not answer", async () => {
    const others: Awaited<ReturnType<typeof cancelled>>[] = [];
    for (let n = 0; n < 21; n++) others.push(await cancelled());
    const { parts, replay } = await cancelled();
    const asked: string[] = [];
    const line: typeof parts.line = async (_source, which) => {
      asked.push(hexOf(which));
      if (hexOf(which) === hexOf(others[0]?.replay ?? replay)) throw new Error("No answer.");
      return { ...plainLine(async () => {}), ...(hexOf(which) === hexOf(replay) && { findOut }) };
    };
    const settle = endedSettler({ ...parts, line }, operator);
    await expect(settle()).rejects.toThrow("No answer.");
    await settle();
    // The last one, and from the first again.
    await expect(settle()).rejects.toThrow("No answer.");
    expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 0, unknown: 1, released: 1 });
    for (const other of others) expect(asked).toContain(hexOf(other.replay));
  });

  it("is not asked about any more when brokers have forgotten it", async () => {
    const { parts, replay } = await cancelled();
    await doubtAbandoned(ledger, ledger.database, replay);
    const old = `update ${ledger.at}.sends set sent_at = sent_at - interval '31 days' where replay_id = $1`;
    await ledger.database.query(old, [uuidOf(replay)]);
    const before = await epochOf(ledger, replay);
    await endedSettler(parts, operator)();
    expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 2 });
    expect(await epochOf(ledger, replay)).toBe(before);
  });
});

async function reportInbox(
  ledger: Ledger,
  queue: string,
  { instance, inboxWindowS }: { readonly instance: string; readonly inboxWindowS: number | null },
): Promise<void> {
  const queues = [{ queue, schemas: [], inboxWindowS, retryHorizonS: 0, probe: false }];
  const who = { service: "shop", version: "1", instance, at: new Date().toISOString() };
  await noteHeartbeat(ledger, "rabbit", { v: 1, kind: "heartbeat", ...who, queues });
}

/** It is another after each time that somebody held it. */
async function epochOf({ database, at }: Ledger, replay: Uint8Array) {
  const { rows } = await database.query<{ epoch: number }>(`select epoch from ${at}.replays where id = $1`, [
    uuidOf(replay),
  ]);
  return rows[0]?.epoch;
}
