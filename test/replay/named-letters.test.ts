import { beforeAll, expect, it } from "vitest";
import type { Actor } from "../../src/domain/actor.ts";
import type { SideEffect } from "../../src/domain/classification.ts";
import { uuidOf } from "../../src/domain/ids.ts";
import { noteBreaker } from "../../src/ledger/breakers.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { listReplays, readReplay } from "../../src/ledger/read-replay.ts";
import { classifyLetters, type SaidOfLetters } from "../../src/office/decide/classify-letters.ts";
import { approve, ask } from "../../src/office/replay/approve-replay.ts";
import { autoActor, autoReplays } from "../../src/office/replay/auto-replay.ts";
import { describeReplay } from "../../src/office/replay/describe-replay.ts";
import { approvalHash } from "../../src/office/replay/plan-hash.ts";
import { planReplay } from "../../src/office/replay/plan-replay.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { start } from "../../src/office/replay/steer-replay.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import {
  approver,
  holdLetters,
  itemsOf,
  makeUncertain,
  operator,
  planned,
  replayWorld,
  run,
  stateOf,
} from "./world.ts";

const another: Actor = { ...approver, id: "ops-3" };
const needsOne = { n: 1, roles: ["approver"], expiresS: 3_600, exemptUpTo: 0 } as const;
const harmless: SaidOfLetters = { category: "transient", sideEffect: "none", reason: "the proxy was restarted" };

onEachDatabase("letters that are what a person says", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const say = (
    parts: ReplayParts,
    who: Actor,
    letters: readonly Uint8Array[],
    said: Partial<SaidOfLetters> = {},
  ): Promise<void> => classifyLetters(parts, who, letters, { ...harmless, ...said });

  const asked = async (parts: ReplayParts, letters: readonly Uint8Array[]) => {
    const replay = await planned(parts, letters);
    await ask(parts, operator, { replay, reason: "back again" });
    return replay;
  };

  const approveAs = async (parts: ReplayParts, who: Actor, replay: Uint8Array) => {
    const { planHash } = await readReplay(ledger, ledger.database, { id: replay });
    return approve(parts, who, { replay, reason: "yes", hash: approvalHash(planHash, []) });
  };

  it("need a second person, however few: saying that nothing happened is answering for it", async () => {
    const { parts } = replayWorld(ledger);
    const letters = await holdLetters(ledger, ["a", "b"]);
    await makeUncertain(ledger, letters);
    await say(parts, operator, letters);
    const replay = await asked(parts, letters);
    expect((await itemsOf(parts, replay)).map(({ reason }) => reason)).toEqual(["ready", "ready"]);
    expect(await stateOf(parts, replay)).toBe("awaiting_approval");
    await expect(start(parts, operator, { replay, expectCount: 2 })).rejects.toThrow();
    await approveAs(parts, approver, replay);
    expect(await stateOf(parts, replay)).toBe("approved");
    expect(await stateOf(parts, await asked(parts, await holdLetters(ledger, ["c"])))).toBe("approved");
  });

  it("need one when a protocol that asks for one was left by another name", async () => {
    const { parts } = replayWorld(ledger);
    const [named, evident] = await Promise.all([
      holdLetters(ledger, ["a"], { "dlo-category": "business_rule" }),
      holdLetters(ledger, ["b"]),
    ]);
    await say(parts, operator, named, { sideEffect: null });
    expect(await stateOf(parts, await asked(parts, [...named, ...evident]))).toBe("awaiting_approval");
  });

  it("are approved by none of those who said it, though somebody else has said more since", async () => {
    const { parts } = replayWorld(ledger, { protocol: { approvals: needsOne } });
    const letters = await holdLetters(ledger, ["a", "b"]);
    await say(parts, approver, letters.slice(0, 1));
    await say(parts, operator, letters.slice(0, 1), { sideEffect: null });
    const replay = await asked(parts, letters);
    await expect(approveAs(parts, approver, replay)).rejects.toMatchObject({ code: "APPROVAL_REFUSED" });
    await approveAs(parts, another, replay);
    expect(await stateOf(parts, replay)).toBe("approved");
    await say(parts, another, letters.slice(1));
    await expect(start(parts, operator, { replay, expectCount: 2 })).rejects.toMatchObject({
      code: "APPROVAL_REFUSED",
    });
  });

  it("are as others again when they failed once more: nobody's word counts for or against that", async () => {
    const { parts } = replayWorld(ledger, { protocol: { approvals: needsOne } });
    const letters = await holdLetters(ledger, ["a"]);
    await say(parts, approver, letters);
    await failAgain(ledger, letters);
    const replay = await asked(parts, letters);
    await approveAs(parts, approver, replay);
    expect(await stateOf(parts, replay)).toBe("approved");
  });

  it("void no approval that was given before, once they have gone", async () => {
    const { parts, sent } = replayWorld(ledger, { protocol: { approvals: needsOne } });
    const letters = await holdLetters(ledger, ["a"]);
    const replay = await asked(parts, letters);
    await approveAs(parts, approver, replay);
    await start(parts, operator, { replay, expectCount: 1 });
    expect([await run(parts, replay), sent.length]).toEqual(["finished", 1]);
    await ledger.database.query(`update ${ledger.at}.letters set state = 'returned' where id = any ($1::uuid[])`, [
      letters.map(uuidOf),
    ]);
    await say(parts, approver, letters);
    const { approvals } = await describeReplay(parts, await readReplay(ledger, ledger.database, { id: replay }));
    expect(approvals).toMatchObject([{ actor: approver.id, counts: true }]);
  });

  it("never go by themselves", async () => {
    const queue = `orders-${crypto.randomUUID()}`;
    const { parts } = replayWorld(ledger, { protocol: { auto: true } });
    const named = await holdLetters(ledger, ["a"], { queue });
    await say(parts, operator, named);
    const who = { v: 1, service: "shop", version: "1", instance: "a", at: new Date().toISOString() } as const;
    const beat = { queue, schemas: [], inboxWindowS: null, retryHorizonS: 1, probe: false };
    await noteHeartbeat(ledger, "rabbit", { ...who, kind: "heartbeat", queues: [beat] });
    const since = new Date(Date.now() - 300_000).toISOString();
    await noteBreaker(ledger, "rabbit", { ...who, kind: "breaker", name: "payments", queue, state: "closed", since });
    const look = async () => {
      await autoReplays(parts)();
      return (await listReplays(ledger, { limit: 200 })).filter(({ autoPlace }) => autoPlace === `rabbit/${queue}`);
    };
    expect(await look()).toEqual([]);
    // Named while it was being planned.
    const late = { letters: named, query: "", autoPlace: `rabbit/late-${queue}` };
    const { approvalsNeeded } = await readReplay(ledger, ledger.database, {
      id: await planReplay(parts, autoActor, late),
    });
    expect(approvalsNeeded).toBe(1);
    const evident = await holdLetters(ledger, ["b"], { queue });
    const [replay] = await look();
    expect((await itemsOf(parts, replay?.id ?? new Uint8Array())).map(({ letterId }) => uuidOf(letterId))).toEqual(
      evident.map(uuidOf),
    );
  });

  it("are in doubt for the failure's reason, or by whoever doubts; not for the reason of another word", async () => {
    const { parts } = replayWorld(ledger);
    const letters = await holdLetters(ledger, ["a"]);
    await failAgain(ledger, letters, "uncertain");
    const sentence = async () => (await itemsOf(parts, await planned(parts, letters)))[0]?.details.sentence ?? "";
    await say(parts, operator, letters, { sideEffect: null });
    expect(await sentence()).toContain("may have taken effect: again");
    await say(parts, operator, letters);
    await say(parts, another, letters, { sideEffect: "uncertain", reason: "seen in the ledger of the bank" });
    await say(parts, operator, letters, { sideEffect: null });
    expect(await sentence()).toContain("ops-3: seen in the ledger of the bank");
  });
});

/** As if they had been sent, and had come back with a failure of the same kind. */
async function failAgain(ledger: Ledger, letters: readonly Uint8Array[], sideEffect: SideEffect = "none") {
  const given = [letters.map(uuidOf), sideEffect];
  await ledger.database.query(
    `insert into ${ledger.at}.classifications
       (letter_id, n, at, category, confidence, rule, why, side_effect, fingerprint, words)
     select letter_id, max(n) + 1, ${ledger.at}.clock(), 'transient', 1, 'said', 'again', $2, '\\x01', ''::tsvector
     from ${ledger.at}.classifications where letter_id = any ($1::uuid[]) group by letter_id`,
    given,
  );
  await ledger.database.query(
    `update ${ledger.at}.letters set rule = 'said', side_effect = $2 where id = any ($1::uuid[])`,
    given,
  );
}
