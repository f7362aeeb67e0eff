import { beforeAll, expect, it } from "vitest";
import { uuidOf } from "../../src/domain/ids.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { applyRetention } from "../../src/ledger/retention.ts";
import { giveBack } from "../../src/office/decide/give-back.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { holdPlaces, placesIn } from "./places-world.ts";
import { acceptDuplicatesIn, letterStates, operator, planned, replayWorld, run, started } from "./world.ts";

const dayMs = 86_400_000;
const retentionMs = 90 * dayMs;

onEachDatabase("a week that retention removes", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
    await acceptDuplicatesIn(ledger, "orders");
  });

  const { blocked, partsWith, decide, carryOutAll } = placesIn(() => ledger);
  const now = Date.now();
  const request = { actor: operator, now, retentionMs };

  async function releasesOf(letters: readonly Uint8Array[]): Promise<readonly string[]> {
    const { rows } = await ledger.database.query<{ release: string }>(
      `select because || ' ' || state as release from ${ledger.at}.key_releases where letter_id = any ($1::uuid[]) order by number`,
      [letters.map(uuidOf)],
    );
    return rows.map(({ release }) => release);
  }

  async function replayed(letters: readonly Uint8Array[], redirect: string | null): Promise<void> {
    const { parts } = replayWorld(ledger);
    const replay = await planned(parts, letters, { redirect });
    await started(parts, replay);
    await run(parts, replay);
    expect(await letterStates(ledger, letters)).toEqual(letters.map(() => "resolved"));
  }

  it("leaves no key blocked by a letter that was escalated, undrained or redirected", async () => {
    const arrivedAt = now - 200 * dayMs;
    const { store, letters, state } = await blocked({ dead: 3, arrivedAt });
    const own = await blocked({ arrivedAt });
    const [escalated, undrained, redirected] = letters.map((letter) => [letter]);
    await decide("escalate", escalated ?? []);
    await giveBack(replayWorld(ledger).parts, operator, { letters: undrained ?? [], reason: "x", reference: null });
    await replayed(redirected ?? [], "elsewhere");
    await replayed(own.letters, null);
    expect(await state()).toEqual([["dead", 3]]);

    const { dropped } = await applyRetention(ledger, request);
    expect(dropped).toMatchObject([{ letters: 4 }]);
    expect(await letterStates(ledger, [...letters, ...own.letters])).toEqual([]);
    await carryOutAll(partsWith(store));
    expect([await state(), await releasesOf(letters)]).toEqual([
      [["parked", 0]],
      ["expired released", "expired released", "expired released"],
    ]);
    // It ran in its own place, and left it by itself.
    expect(await releasesOf(own.letters)).toEqual([]);
  });

  it("notes 500 releases a step, goes on where an earlier run was killed, and removes nothing before all are noted", async () => {
    const arrivedAt = now - 300 * dayMs;
    const key = new TextEncoder().encode("account-7");
    const numbers = Array.from({ length: 501 }, (_, index) => index + 1);
    const letters = await holdPlaces(ledger, key, { numbers, arrivedAt });
    await decide("escalate", letters.slice(0, 500));
    await decide("escalate", letters.slice(500));
    const notedAt: number[] = [];
    const killed = applyRetention(ledger, {
      ...request,
      async between() {
        const noted = (await releasesOf(letters)).length;
        if (noted > 0) throw new Error("killed");
        return true;
      },
    });
    await expect(killed).rejects.toThrow("killed");
    expect([(await releasesOf(letters)).length, (await letterStates(ledger, letters)).length]).toEqual([500, 501]);
    const { dropped } = await applyRetention(ledger, {
      ...request,
      async between() {
        notedAt.push((await releasesOf(letters)).length);
        return true;
      },
    });
    expect([notedAt.includes(501), dropped]).toEqual([true, [expect.objectContaining({ letters: 501 })]]);
    expect(new Set(await releasesOf(letters))).toEqual(new Set(["expired pending"]));
  });

  it("keeps what it knows of releases until their letters are gone, and releases none of them once more", async () => {
    const weekAt = Math.floor((now - 400 * dayMs) / (7 * dayMs)) * 7 * dayMs;
    const past = (days: number) => applyRetention(ledger, { ...request, now: weekAt + retentionMs + days * dayMs });
    const { store, letters } = await blocked({ arrivedAt: weekAt + 1_000 });
    await decide("drop", letters);
    await carryOutAll(partsWith(store));
    await ledger.database.query(
      `update ${ledger.at}.key_releases set ended_at = to_timestamp($2) where letter_id = any ($1::uuid[])`,
      [letters.map(uuidOf), (weekAt + dayMs) / 1_000],
    );
    await past(3);
    expect([await letterStates(ledger, letters), await releasesOf(letters)]).toEqual([
      ["dropped"],
      ["dropped released"],
    ]);
    await past(8);
    expect([await letterStates(ledger, letters), await releasesOf(letters)]).toEqual([[], []]);
  });
});
