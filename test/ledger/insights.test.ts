import { beforeAll, expect, it } from "vitest";
import { uuidOf } from "../../src/domain/ids.ts";
import { classifyByHand } from "../../src/ledger/classify-by-hand.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { clearedByCategory } from "../../src/ledger/search/past-outcomes.ts";
import { callsOn } from "../policy/office.ts";
import { holdLetters, operator, replayWorld } from "../replay/world.ts";
import { onEachDatabase } from "../servers/each-database.ts";

const minuteS = 60;

onEachDatabase("insights", (tested) => {
  let ledger: Ledger;
  let letters: readonly Uint8Array[];

  /** As if that had become of it so long after it came. */
  async function became(at: number, state: string, afterS: number, more = ""): Promise<void> {
    await ledger.database.query(
      `update ${ledger.at}.letters set state = $2, changed_at = arrived_at + $3::float8 * interval '1 s' ${more} where id = $1`,
      [uuidOf(letters[at] ?? new Uint8Array()), state, afterS],
    );
  }

  async function returns(queue: string, delaysS: readonly number[]): Promise<void> {
    await ledger.database.query(
      `insert into ${ledger.at}.sends (replay_id, n, letter_id, source, queue, payload_sha256, sent_at, returned_at)
       select gen_random_uuid(), 1, gen_random_uuid(), 'rabbit', $1, '', now() - interval '1 day', now() - interval '1 day' + d * interval '1 s'
       from unnest($2::float8[]) as r (d)`,
      [queue, delaysS],
    );
  }

  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
    letters = await holdLetters(ledger, ["a", "b", "c", "d", "e", "f"]);
    await became(0, "resolved", minuteS, ", replays = 1");
    await became(1, "resolved", 3 * minuteS, ", replays = 1");
    await became(2, "dropped", 20 * minuteS);
    await became(3, "returned", minuteS, ", replays = 1, category = 'poison', rule = 'test/again'");
    await ledger.database.query(
      `insert into ${ledger.at}.classifications
         (letter_id, n, at, category, confidence, rule, why, side_effect, fingerprint, words)
       select c.letter_id, 2, now(), 'poison', 1, 'test/again', '', 'none', c.fingerprint, ''
       from ${ledger.at}.classifications c where c.letter_id = $1`,
      [uuidOf(letters[3] ?? new Uint8Array())],
    );
    await classifyByHand(ledger, ledger.database, {
      ...{ letters: letters.slice(4, 5), states: ["open"], category: "poison", sideEffect: null },
      ...{ why: "it is the handler", by: "ana" },
    });
  });

  it("say how long letters of each category waited to be decided, and how they were", async () => {
    const { cleared, isExact } = await callsOn(ledger)("insights.get", operator, {});
    expect(isExact).toBe(true);
    expect(cleared.sentence).toBe(
      "Of 6 letters that arrived in the last 30 days, 3 are decided and 3 wait for somebody.",
    );
    const [transient, poison] = cleared.items;
    expect(transient).toMatchObject({ category: "transient", letters: 4, open: 1, resolved: 2, dropped: 1 });
    expect(transient?.medianS).toBeCloseTo(3 * minuteS);
    expect(transient?.p90S).toBeCloseTo(16.6 * minuteS);
    expect(poison).toMatchObject({ category: "poison", letters: 2, open: 2, medianS: null, p90S: null });
  });

  it("say of each rule how often people and replays bore it out, whoever has the last word now", async () => {
    const { classifier } = await callsOn(ledger)("insights.get", operator, {});
    expect(classifier.items).toEqual([
      { rule: "test/own-word", letters: 6, overridden: 1, confirmed: 2, contradicted: 1 },
    ]);
    expect(classifier.sentence).toBe(
      "People or replays told of 4 letters whether their rule was right: of 2 it was not (50 %).",
    );
  });

  it("look at the latest letters of a queue alone, and say so", async () => {
    const asked = { since: Date.now() - 86_400_000, queues: ["orders"], perQueue: 2 };
    const cleared = await clearedByCategory(ledger, asked);
    expect(cleared.reduce((sum, { letters: n }) => sum + n, 0)).toBe(2);
    expect(cleared.every(({ isExact }) => !isExact)).toBe(true);
  });

  it("leave out what came before", async () => {
    const asked = { since: Date.now(), queues: ["orders"], perQueue: 10 };
    expect(await clearedByCategory(ledger, asked)).toEqual([]);
  });

  it("say how long returns take, and whether the policy waits long enough for them", async () => {
    await returns(
      "orders",
      Array.from({ length: 40 }, (_, n) => 3 * n),
    );
    await returns("mails", [1, 2]);
    await ledger.database.query(
      `insert into ${ledger.at}.queues (source, queue, broker) values ('rabbit', 'mails', 'x') on conflict do nothing`,
    );
    const settling = (settleS: number) => {
      const { parts } = replayWorld(ledger);
      const policy = async () => {
        const inForce = await parts.policy();
        const protocolFor: typeof inForce.protocolFor = (...of) => ({ ...inForce.protocolFor(...of), settleS });
        return { ...inForce, protocolFor };
      };
      return callsOn(ledger, { ...parts, policy })("insights.get", operator, {});
    };
    const [orders, mails] = (await settling(120)).returns;
    expect(orders).toMatchObject({ queue: "orders", returns: 40, p50S: 58.5, window: { policyS: 120, inForceS: 120 } });
    expect(orders?.sentence).toBe("99 of 100 returns came within 1.9 minutes; the window of 2 minutes is long enough.");
    expect(mails?.sentence).toBe("2 came back: too few to say how long the wait should be. It is 2 minutes.");
    const [late] = (await settling(60)).returns;
    expect(late?.sentence).toBe(
      "99 of 100 returns came within 1.9 minutes, later than the 60 seconds of the policy. Replays there wait 1.9 minutes by themselves; `settle.min: 3m` would say so.",
    );
  });
});
