import { beforeAll, expect, it } from "vitest";
import type { Actor } from "../../src/domain/actor.ts";
import { isOfficeError } from "../../src/domain/errors.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { approve, ask, exclude, reject, revoke } from "../../src/office/replay/approve-replay.ts";
import { approvalHash } from "../../src/office/replay/plan-hash.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { cancel, pauseReplay, resume, start } from "../../src/office/replay/steer-replay.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { bodiesOf, holdLetters, itemsOf, letterStates, planned, replayWorld, run } from "./world.ts";

/** A tenth in the usual run; DLO_OPERATOR_ROUNDS=1000 for the long one. */
const rounds = Number(process.env.DLO_OPERATOR_ROUNDS ?? 100);
const people: readonly Actor[] = Array.from({ length: 10 }, (_, n) => ({
  ...{ id: `ops-${n + 1}`, kind: "human" },
  roles: n % 2 === 0 ? ["operator"] : ["operator", "approver"],
}));

/** Chance that can be had again. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

type Click = (parts: ReplayParts, actor: Actor, replay: Uint8Array) => Promise<unknown>;

const reason = "because";
const clicks: readonly Click[] = [
  (parts, actor, replay) => ask(parts, actor, { replay, reason }),
  async (parts, actor, replay) => {
    const { planHash } = await readReplay(parts.ledger, parts.ledger.database, { id: replay });
    await approve(parts, actor, { replay, reason, hash: approvalHash(planHash, []) });
  },
  (parts, actor, replay) => revoke(parts, actor, { replay, reason }),
  (parts, actor, replay) => start(parts, actor, { replay, expectCount: 12, allowFewer: true }),
  (parts, _actor, replay) => run(parts, replay),
  (parts, _actor, replay) => run(parts, replay),
  (parts, actor, replay) => pauseReplay(parts, actor, { replay, reason }),
  (parts, actor, replay) => resume(parts, actor, { replay, reason }),
  (parts, actor, replay) => exclude(parts, actor, { replay, reason, numbers: [3] }),
];
const endings: readonly Click[] = [
  (parts, actor, replay) => cancel(parts, actor, { replay, reason }),
  (parts, actor, replay) => reject(parts, actor, { replay, reason }),
];

describeServer("ten operators at once", noPostgres, () => {
  const postgres = usePostgres();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: postgres.database });
  });

  it(`send nothing twice and lose nothing, ${rounds} times`, { timeout: 60_000 + rounds * 10_000 }, async () => {
    let sentInAll = 0;
    for (let round = 0; round < rounds; round++) {
      const chance = dice(round + 1);
      const pick = <Entry>(entries: readonly Entry[]) => entries[Math.floor(chance() * entries.length)] as Entry;
      const { parts, sent } = replayWorld(ledger, { protocol: { batch: 2, ramp: [3] } });
      const bodies = Array.from({ length: 12 }, (_, n) => `round ${round} letter ${n}`);
      const letters = await holdLetters(ledger, bodies);
      // Two plans that hold the same letters: whoever comes first has them.
      const replays = [await planned(parts, letters), await planned(parts, letters.slice(4))];
      await Promise.all(
        people.map(async (actor) => {
          for (let n = 0; n < 8; n++) {
            const click = chance() < 0.02 ? pick(endings) : pick(clicks);
            await click(parts, actor, pick(replays)).catch((error: unknown) => {
              if (!isOfficeError(error)) throw error;
            });
          }
        }),
      );
      const states = await letterStates(ledger, letters);
      const items = (await Promise.all(replays.map((replay) => itemsOf(parts, replay)))).flat();
      const gone = items.filter(({ progress }) => !["not_yet_sent", "released"].includes(progress));
      expect(new Set(bodiesOf(sent)).size).toBe(sent.length);
      expect(gone).toHaveLength(sent.length);
      expect(items.filter(({ progress }) => progress === "sending" || progress === "in_doubt")).toEqual([]);
      expect(states.filter((state) => state === "open")).toHaveLength(letters.length - sent.length);
      sentInAll += sent.length;
    }
    // Otherwise nothing was tested.
    expect(sentInAll).toBeGreaterThan(rounds);
  });
});
