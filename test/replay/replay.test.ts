import { beforeAll, describe, expect, it } from "vitest";
import { OfficeError } from "../../src/domain/errors.ts";
import { showId } from "../../src/domain/ids.ts";
import { headerText, type Message } from "../../src/domain/message.ts";
import { latestFixes, retractFix } from "../../src/ledger/fixes.ts";
import { intendItems, leadReplay, noteSent, settleItems } from "../../src/ledger/lead-replay.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { acknowledge, approve, ask, reject } from "../../src/office/replay/approve-replay.ts";
import { approvalHash } from "../../src/office/replay/plan-hash.ts";
import { recordOutcome } from "../../src/office/replay/record-report.ts";
import { cancel, pauseReplay, resume, start } from "../../src/office/replay/steer-replay.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import {
  approver,
  bodiesOf,
  countsOf,
  groupsOf,
  holdLetters,
  itemsOf,
  lapse,
  letterStates,
  operator,
  planned,
  recordFix,
  replayOf,
  replayWorld,
  run,
  started,
  stateOf,
} from "./world.ts";

const shop = { service: "shop", version: "1", instance: "a" } as const;
const reporter = { v: 1, kind: "outcome", queue: "orders", at: "", ...shop } as const;
const twenty = Array.from({ length: 20 }, (_, n) => `body ${n}`);

/** A broker that answers so many at once, and the others when it is told to. */
function answersTo(count: number): { onSend(): Promise<void>; answer(): void } {
  let answer: () => void = () => {};
  const told = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let asked = 0;
  const onSend = async () => {
    asked += 1;
    if (asked > count) await told;
  };
  return { onSend, answer };
}

onEachDatabase("a replay", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  describe("as a plan", () => {
    it("sends and claims nothing, and says of each letter what would become of it and why", async () => {
      const { parts, sent } = replayWorld(ledger);
      const letters = [
        ...(await holdLetters(ledger, ["fine"])),
        ...(await holdLetters(ledger, ["bug"], { "dlo-category": "poison" })),
        ...(await holdLetters(ledger, ["riddle"], { "dlo-category": "" })),
      ];
      const replay = await planned(parts, letters);
      const items = await itemsOf(parts, replay);
      expect(items.map(({ decision, reason }) => [decision, reason])).toEqual(
        expect.arrayContaining([
          ["replay", "ready"],
          ["skip", "fix.missing"],
          ["skip", "category.unknown"],
        ]),
      );
      for (const { details } of items) expect(details.sentence).not.toBe("");
      expect(sent).toEqual([]);
      expect(await letterStates(ledger, letters)).toEqual(["open", "open", "open"]);
      expect(await countsOf(parts, replay)).toMatchObject({ selected: 3, toSend: 1, skipped: 2 });
    });

    it("cannot be changed in the database itself", async () => {
      const { parts } = replayWorld(ledger);
      await planned(parts, await holdLetters(ledger, ["a"]));
      const { database, at } = ledger;
      for (const sql of [
        `update ${at}.replay_items set decision = 'replay'`,
        `update ${at}.replays set plan_hash = ''`,
        `delete from ${at}.replay_items`,
        `truncate ${at}.replay_approvals`,
      ]) {
        await expect(database.query(sql)).rejects.toMatchObject({ code: "23001" });
      }
    });

    it("lets poison go when a fix is recorded, and only what failed before it", async () => {
      const { parts } = replayWorld(ledger);
      const letters = await holdLetters(ledger, ["bug"], { "dlo-category": "poison", class: "Bug" });
      await recordFix(parts, letters, Date.now() - 7_200_000);
      const tooEarly = await itemsOf(parts, await planned(parts, letters));
      expect(tooEarly[0]?.reason).toBe("fix.time_unknown");
      await recordFix(parts, letters, Date.now());
      const [item] = await itemsOf(parts, await planned(parts, letters));
      expect(item?.decision).toBe("replay");
      for (const fix of (await latestFixes(ledger, await groupsOf(ledger, letters))).values()) {
        expect(await retractFix(ledger, ledger.database, fix.id, operator.id)).toBe(true);
        expect(await retractFix(ledger, ledger.database, fix.id, operator.id)).toBe(false);
      }
      const [again] = await itemsOf(parts, await planned(parts, letters));
      expect(again?.reason).toBe("fix.time_unknown");
    });

    it("is refused when nothing matches", async () => {
      const { parts } = replayWorld(ledger);
      await expect(planned(parts, [])).rejects.toThrow("nothing to plan");
    });
  });

  describe("under approval", () => {
    it("waits for a second person, who approves exactly what they saw", async () => {
      const { parts } = replayWorld(ledger);
      const replay = await planned(parts, await holdLetters(ledger, twenty));
      await ask(parts, operator, { replay, reason: "back again" });
      expect(await stateOf(parts, replay)).toBe("awaiting_approval");
      const { planHash } = await readReplay(ledger, ledger.database, { id: replay });
      const hash = approvalHash(planHash, []);
      const asking = { ...operator, roles: ["admin"] } as const;
      await expect(approve(parts, asking, { replay, reason: "", hash })).rejects.toThrow("four eyes are two people");
      const agent = { ...approver, kind: "agent" } as const;
      await expect(approve(parts, agent, { replay, reason: "", hash })).rejects.toThrow("Only people approve");
      const other = approvalHash(planHash, [1]);
      const stale = approve(parts, approver, { replay, reason: "", hash: other });
      await expect(stale).rejects.toThrow("approve with the hash it shows then");
      await expect(start(parts, operator, { replay, expectCount: 20 })).rejects.toThrow("awaiting approval");
      await approve(parts, approver, { replay, reason: "yes", hash });
      expect(await stateOf(parts, replay)).toBe("approved");
    });

    it("ends when somebody who may approve it says no", async () => {
      const { parts } = replayWorld(ledger);
      const replay = await planned(parts, await holdLetters(ledger, twenty));
      await ask(parts, operator, { replay, reason: "back again" });
      await expect(reject(parts, approver, { replay, reason: " " })).rejects.toThrow("Say why");
      await reject(parts, approver, { replay, reason: "not before Monday" });
      expect(await stateOf(parts, replay)).toBe("rejected");
      await expect(start(parts, operator, { replay, expectCount: 20 })).rejects.toThrow("is rejected");
    });

    it("starts only with the number of letters it would send", async () => {
      const { parts } = replayWorld(ledger);
      const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
      await ask(parts, operator, { replay, reason: "small" });
      await expect(start(parts, operator, { replay, expectCount: 3 })).rejects.toThrow("would send 2 letters, not 3");
      await start(parts, operator, { replay, expectCount: 2 });
      expect(await stateOf(parts, replay)).toBe("running");
    });

    it("takes nobody's word for items that carry no risk", async () => {
      const { parts } = replayWorld(ledger);
      const replay = await planned(parts, await holdLetters(ledger, ["a"]));
      const saying = acknowledge(parts, operator, { replay, reason: "checked", numbers: [1] });
      await expect(saying).rejects.toThrow("only 0 wait for somebody's word");
    });
  });

  describe("when it runs", () => {
    it("sends the original bytes once each, and is clean when consumers report", async () => {
      const { parts, sent } = replayWorld(ledger, { protocol: { settleS: 60 } });
      const letters = await holdLetters(ledger, twenty, { "x-death": "gone", kept: "yes" });
      const replay = await planned(parts, letters);
      await started(parts, replay);
      const running = run(parts, replay);
      const reported = new Set<string>();
      await eventually(
        async () => {
          for (const message of sent) await report(message, reported);
          expect(reported.size).toBe(20);
        },
        { withinMs: 120_000 },
      );
      expect(await running).toBe("finished");
      expect(bodiesOf(sent).toSorted()).toEqual(twenty.toSorted());
      expect(new Set(sent.map(replayOf)).size).toBe(20);
      expect(sent[0]?.headers.map(({ name }) => name)).toEqual([
        ...["queue", "class", "kept", "dlo-queue", "dlo-letter", "dlo-replay", "dlo-key"],
      ]);
      expect(await countsOf(parts, replay)).toMatchObject({ sent: 20, confirmed: 20, waiting: 0 });
      expect(new Set(await letterStates(ledger, letters))).toEqual(new Set(["resolved"]));

      async function report(message: Message, known: Set<string>): Promise<void> {
        const [letter = "", replayed = ""] = ["dlo-letter", "dlo-replay"].map((name) =>
          headerText(message.headers, name),
        );
        const outcome = await recordOutcome(ledger, { ...reporter, letter, replay: replayed, result: "done" });
        if (outcome === "settled") known.add(replayed);
      }
    });

    it("takes a consumer's word that comes before its own note that it was sent", async () => {
      const { parts } = replayWorld(ledger, {
        async onSend({ headers }) {
          const [letter = "", replayed = ""] = ["dlo-letter", "dlo-replay"].map((name) => headerText(headers, name));
          await recordOutcome(ledger, { ...reporter, letter, replay: replayed, result: "done" });
        },
      });
      const letters = await holdLetters(ledger, ["a", "b"]);
      const replay = await planned(parts, letters);
      await started(parts, replay);
      expect(await run(parts, replay)).toBe("finished");
      expect(await countsOf(parts, replay)).toMatchObject({ sent: 2, confirmed: 2 });
      expect(await letterStates(ledger, letters)).toEqual(["resolved", "resolved"]);
    });

    it("believes no report about what it did not send", async () => {
      const { parts, sent } = replayWorld(ledger);
      const replay = await planned(parts, await holdLetters(ledger, ["a"]));
      await started(parts, replay);
      await run(parts, replay);
      const letter = showId("letter", (await itemsOf(parts, replay))[0]?.letterId ?? new Uint8Array(16));
      const replayed = replayOf(sent[0] as Message);
      for (const lie of [
        { letter: "x", replay: "y", result: "done" },
        { letter, replay: `${replayed}9`, result: "done" },
        { letter: letter.replace(/.$/u, (last) => (last === "Z" ? "Y" : "Z")), replay: replayed, result: "done" },
        { letter, replay: replayed, result: "done", queue: "elsewhere" },
      ] as const) {
        expect(await recordOutcome(ledger, { ...reporter, ...lie })).toBe("stranger");
      }
    });

    it("presumes silence to be success only where it saw the messages consumed", async () => {
      for (const [wasConsumed, name] of [
        [true, "presumed"],
        [false, "unknown"],
      ] as const) {
        const { parts } = replayWorld(ledger, { wasConsumed, protocol: { ramp: [] } });
        const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
        await started(parts, replay);
        expect(await run(parts, replay)).toBe("finished");
        expect(await countsOf(parts, replay)).toMatchObject({ [name]: 2 });
      }
    });

    it("pauses between steps when it does not know what became of the last", async () => {
      const { parts, sent } = replayWorld(ledger, { wasConsumed: false, protocol: { ramp: [5] } });
      const replay = await planned(parts, await holdLetters(ledger, twenty));
      await started(parts, replay);
      expect(await run(parts, replay)).toBe("paused");
      expect(sent).toHaveLength(5);
      await resume(parts, operator, { replay, reason: "looked at the five by hand" });
      expect(await run(parts, replay)).toBe("finished");
      expect(sent).toHaveLength(20);
      expect(await countsOf(parts, replay)).toMatchObject({ unknown: 20 });
    });

    it("goes on all the same where the policy says so", async () => {
      const protocol = { ramp: [5], onUnknown: "continue" } as const;
      const { parts, sent } = replayWorld(ledger, { wasConsumed: false, protocol });
      const replay = await planned(parts, await holdLetters(ledger, twenty));
      await started(parts, replay);
      expect(await run(parts, replay)).toBe("finished");
      expect(sent).toHaveLength(20);
      expect(await countsOf(parts, replay)).toMatchObject({ unknown: 20 });
    });

    it("halts when too many come back, before the next step", async () => {
      const { parts, sent } = replayWorld(ledger, { protocol: { ramp: [5], settleS: 60 } });
      const letters = await holdLetters(ledger, twenty);
      const replay = await planned(parts, letters);
      await started(parts, replay);
      const running = run(parts, replay);
      await eventually(() => expect(sent).toHaveLength(5));
      await eventually(async () => {
        const settled = await settleItems(ledger, ledger.database, { replay, numbers: [2], outcome: "returned" });
        expect(settled).toEqual([2]);
      });
      expect(await running).toBe("halted");
      expect(sent).toHaveLength(5);
      const { haltedBy } = await readReplay(ledger, ledger.database, { id: replay });
      expect(haltedBy?.sentence).toBe("1 of 5 sent came back (20 %; it stops above 5 %).");
      expect((await letterStates(ledger, letters)).filter((state) => state === "returned")).toHaveLength(1);
    });

    it.each([
      ["lag", { lag: 6_000 }, "6,000 messages behind"],
      ["breaker", { breakers: [{ kind: "open", breaker: "payments", since: 0 }] }, "payments"],
      ["health", { redChecks: ["payments is up"] }, "payments is up"],
    ] as const)("halts for %s at its destination, and leaves no letter out for it", async (guard, worse, word) => {
      const { parts, sent } = replayWorld(ledger, { protocol: { ramp: [5] } });
      const replay = await planned(parts, await holdLetters(ledger, twenty));
      await started(parts, replay);
      const look: typeof parts.look = async (source, queue) => {
        const facts = await parts.look(source, queue);
        return sent.length < 5 || facts.kind !== "known" ? facts : { ...facts, ...worse };
      };
      expect(await run({ ...parts, look }, replay)).toBe("halted");
      expect(sent).toHaveLength(5);
      expect(await countsOf(parts, replay)).toMatchObject({ notYetSent: 15, drifted: 0 });
      const { haltedBy } = await readReplay(ledger, ledger.database, { id: replay });
      expect(haltedBy?.guard).toBe(guard);
      expect(haltedBy?.sentence).toContain(word);
      await resume(parts, operator, { replay, reason: "well again" });
      expect(await run(parts, replay)).toBe("finished");
    });

    it("stops sending when it is paused, and goes on where it was", async () => {
      const { onSend, answer } = answersTo(3);
      const { parts, sent } = replayWorld(ledger, { protocol: { ramp: [], batch: 1 }, onSend });
      const replay = await planned(parts, await holdLetters(ledger, twenty));
      await started(parts, replay);
      const running = run(parts, replay);
      await eventually(() => expect(sent).toHaveLength(3));
      await pauseReplay(parts, operator, { replay, reason: "lunch" });
      answer();
      expect(await running).toBe("paused");
      expect(sent.length).toBeLessThan(20);
      await resume(parts, operator, { replay, reason: "back" });
      expect(await run(parts, replay)).toBe("finished");
      expect(bodiesOf(sent).toSorted()).toEqual(twenty.toSorted());
    });

    it("frees what it has not sent when it is cancelled", async () => {
      const { onSend, answer } = answersTo(3);
      const { parts, sent } = replayWorld(ledger, { protocol: { ramp: [], batch: 1 }, onSend });
      const letters = await holdLetters(ledger, twenty);
      const replay = await planned(parts, letters);
      await started(parts, replay);
      const running = run(parts, replay);
      await eventually(() => expect(sent).toHaveLength(3));
      await cancel(parts, operator, { replay, reason: "wrong ones" });
      answer();
      expect(await running).toBe("cancelled");
      const { released, toSend } = await countsOf(parts, replay);
      expect(released + sent.length).toBe(toSend);
      const states = await letterStates(ledger, letters);
      expect(states.filter((state) => state === "open")).toHaveLength(released);
    });

    it("leaves out what somebody else took since it was planned", async () => {
      const { parts, sent } = replayWorld(ledger);
      const letters = await holdLetters(ledger, ["a", "b", "c"]);
      const replay = await planned(parts, letters);
      const other = await planned(parts, letters.slice(1, 2));
      await started(parts, other);
      await run(parts, other);
      await started(parts, replay);
      await run(parts, replay);
      expect(bodiesOf(sent).toSorted()).toEqual(["a", "b", "c"]);
      expect(await countsOf(parts, replay)).toMatchObject({ drifted: 1, sent: 2 });
    });

    it("puts a letter back that the broker refuses, and doubts what it gave no answer to", async () => {
      const { parts, sent } = replayWorld(ledger, {
        onSend(message) {
          const body = new TextDecoder().decode(message.body);
          if (body === "refused") throw new OfficeError("QUEUE_NOT_FOUND", "There is no such queue.");
          if (body === "too large") throw new OfficeError("MESSAGE_TOO_LARGE", "It is larger than max_payload.");
          if (body === "unanswered") throw new Error("connection cut");
        },
      });
      const letters = await holdLetters(ledger, ["fine", "refused", "too large", "unanswered"]);
      const replay = await planned(parts, letters);
      await started(parts, replay);
      await run(parts, replay);
      expect(bodiesOf(sent)).toEqual(["fine"]);
      expect(await letterStates(ledger, letters)).toEqual(["resolved", "open", "open", "in_doubt"]);
      expect(await countsOf(parts, replay)).toMatchObject({ sent: 1, inDoubt: 1, drifted: 2 });
      const reasons = (await itemsOf(parts, replay)).map(({ markReason }) => markReason);
      expect(reasons).toEqual(expect.arrayContaining(["destination.missing", "message.too_large"]));
    });

    it("is led by one process at a time, and no letter is sent twice", async () => {
      const { parts, sent } = replayWorld(ledger, { protocol: { batch: 3 } });
      const replay = await planned(parts, await holdLetters(ledger, twenty));
      await started(parts, replay);
      const ends = await Promise.all(Array.from({ length: 4 }, () => run(parts, replay)));
      expect(ends.toSorted()).toEqual(["finished", "led elsewhere", "led elsewhere", "led elsewhere"]);
      expect(bodiesOf(sent).toSorted()).toEqual(twenty.toSorted());
    });

    it("keeps in doubt what a leader that died may have sent, until there is evidence", async () => {
      const { parts, sent } = replayWorld(ledger);
      const replay = await planned(parts, await holdLetters(ledger, ["a", "b", "c"]));
      await started(parts, replay);
      const dead = await leadReplay(ledger, replay, 60_000);
      if (dead === null) throw new Error("Nobody else could have led it.");
      expect((await intendItems(ledger, dead, [1, 2])).items).toEqual(new Set([1, 2]));
      await lapse(ledger, replay);
      expect(await run(parts, replay)).toBe("finished");
      expect(bodiesOf(sent)).toEqual(["c"]);
      expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 2, sent: 1 });
      expect((await intendItems(ledger, dead, [1, 2])).items).toEqual(new Set());
      await noteSent(ledger, replay, [1]);
      await settleItems(ledger, ledger.database, { replay, numbers: [2], outcome: "confirmed" });
      expect(await countsOf(parts, replay)).toMatchObject({ inDoubt: 0, sent: 3 });
    });
  });
});
