import { beforeAll, expect, it } from "vitest";
import { showId } from "../../src/domain/ids.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { applyRetention } from "../../src/ledger/retention.ts";
import { giveBack } from "../../src/office/decide/give-back.ts";
import { sendCompensation } from "../../src/office/decide/send-compensation.ts";
import { carryOutReleases } from "../../src/office/keys/carry-out-releases.ts";
import { releasePlaces } from "../../src/office/keys/release-places.ts";
import type { BlockedKeysAdmin } from "../../src/stores/blocked-keys.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { placesIn } from "./places-world.ts";
import { acceptDuplicatesIn, itemsOf, letterStates, operator, planned, replayWorld } from "./world.ts";

const queue = "orders";
const dayMs = 86_400_000;

onEachDatabase("the place of a dead letter in the sequence of its key", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
    await acceptDuplicatesIn(ledger, queue);
  });

  const { blocked, held, partsWith, decide, releases, soon, carryOutAll } = placesIn(() => ledger);

  it.each([
    ["drop", "dropped"],
    ["compensate", "compensated"],
  ] as const)("is released once after %s, and another dead letter of the key keeps its own", async (name, because) => {
    const { store, letters, state } = await blocked({ dead: 2 });
    await decide(name, letters.slice(0, 1));
    expect(await releases(letters)).toEqual([`${because} pending`]);
    expect(await state()).toEqual([["dead", 2]]);
    expect(await carryOutReleases(partsWith(store))).toBe(1);
    expect([await state(), await releases(letters)]).toEqual([[["dead", 1]], [`${because} released`]]);

    await decide("reopen", letters.slice(0, 1));
    await decide(name, letters.slice(0, 1));
    expect(await carryOutReleases(partsWith(store))).toBe(0);
    expect(await state()).toEqual([["dead", 1]]);
  });

  it("is lost to a letter that is opened again after that: a plan says that it would run behind the others", async () => {
    const { store, letters } = await blocked();
    const { parts } = replayWorld(ledger);
    const reasons = async () => (await itemsOf(parts, await planned(parts, letters))).map(({ reason }) => reason);
    expect(await reasons()).toEqual(["ready"]);
    await decide("drop", letters);
    await decide("reopen", letters);
    expect(await reasons()).toEqual(["ready"]);
    await decide("drop", letters);
    await carryOutReleases(partsWith(store));
    await decide("reopen", letters);
    expect(await reasons()).toEqual(["order.not_kept"]);
  });

  it("is released again where its store did so and nobody heard, or the process died before it could write that down", async () => {
    const { store, letters, state } = await blocked({ dead: 2 });
    await decide("drop", letters.slice(0, 1));
    const deaf: BlockedKeysAdmin = {
      ...{ list: store.list.bind(store), find: store.find.bind(store), summarize: store.summarize.bind(store) },
      async release(...of) {
        await store.release(...of);
        throw new Error("the connection was cut");
      },
    };
    await carryOutReleases(partsWith(deaf));
    expect([await state(), await releases(letters)]).toEqual([[["dead", 1]], ["dropped pending"]]);
    expect(await carryOutReleases(partsWith(store))).toBe(0);
    await soon();
    await Promise.all([carryOutReleases(partsWith(store)), carryOutReleases(partsWith(store))]);
    expect([await state(), await releases(letters)]).toEqual([[["dead", 1]], ["dropped released"]]);
  });

  it.each([
    ["alive", "a message that was not dead"],
    ["gone", "a store that has no such place"],
    ["sent", "a message to its consumer"],
  ] as const)(
    "is released by a later decision, though an earlier release ended as %s, with %s",
    async (ended, _what) => {
      const { store, letters, state } = await blocked();
      const [letter = new Uint8Array()] = letters;
      const early: BlockedKeysAdmin = {
        ...{ list: store.list.bind(store), find: store.find.bind(store), summarize: store.summarize.bind(store) },
        release: async (places) => places.map(() => (ended === "sent" ? "gone" : ended)),
      };
      const before = partsWith(ended === "sent" ? null : early);
      await releasePlaces(before, operator, {
        ...{ place: { letter: showId("letter", letter) }, reason: "it goes on", elsewhere: false },
      });
      await carryOutAll(before);
      expect(await releases(letters)).toEqual([`person ${ended}`]);
      const { parts } = replayWorld(ledger);
      const reasons = (await itemsOf(parts, await planned(parts, letters))).map(({ reason }) => reason);
      expect(reasons).toEqual([ended === "sent" ? "order.not_kept" : "ready"]);

      await decide("drop", letters);
      await carryOutAll(partsWith(store));
      expect([await state(), await releases(letters)]).toEqual([[["parked", 0]], ["dropped released"]]);
    },
  );

  it("is kept while its letter is escalated or back in its dead-letter queue, and where it was reopened in time", async () => {
    const { store, letters, state } = await blocked({ dead: 3 });
    const [escalated, returned, reopened] = letters.map((letter) => [letter]);
    await decide("escalate", escalated ?? []);
    const { parts } = replayWorld(ledger);
    await giveBack(parts, operator, { letters: returned ?? [], reason: "not ours", reference: null });
    expect(await letterStates(ledger, returned ?? [])).toEqual(["dropped"]);
    await decide("drop", reopened ?? []);
    await decide("reopen", reopened ?? []);
    expect(await carryOutReleases(partsWith(store))).toBe(0);
    expect([await state(), await releases(letters)]).toEqual([[["dead", 3]], []]);
  });

  it("is released only when the broker has the message that makes up for it", async () => {
    const { letters } = await blocked();
    const whileSending: (readonly string[])[] = [];
    const onSend = async () => void whileSending.push(await releases(letters));
    const { parts } = replayWorld(ledger, { onSend });
    const message = { source: "rabbit", queue: "refunds", body: new Uint8Array(), headers: {} };
    await sendCompensation(parts, operator, { letters, reason: "charged twice", reference: null, message });
    expect([whileSending, await releases(letters)]).toEqual([[[]], ["compensated pending"]]);
  });

  it("is released when its letter passed its time", async () => {
    // Its week is not over at that time: it would be removed with it.
    const arrivedAt = Math.floor(Date.now() / (7 * dayMs)) * 7 * dayMs - 14 * dayMs;
    const { store, letters, state } = await blocked({ arrivedAt });
    const request = { actor: operator, now: arrivedAt + 9 * dayMs, retentionMs: 8 * dayMs };
    await applyRetention(ledger, request);
    expect(await letterStates(ledger, letters)).toEqual(["expired"]);
    expect(await releases(letters)).toEqual(["expired pending"]);
    await soon();
    await carryOutReleases(partsWith(store));
    expect(await state()).toEqual([["parked", 0]]);
  });

  it("is released by a person with a reason, who hears why not, and is told what to do instead", async () => {
    const { store, letters, state, lane } = await blocked();
    const [letter = new Uint8Array()] = letters;
    const away = async () => {
      throw new Error("there is no queue orders.parked");
    };
    const named = { place: { letter: showId("letter", letter) }, reason: "it goes on", elsewhere: false };
    const failed = await releasePlaces(partsWith(null, away), operator, named);
    expect(failed.items).toMatchObject([{ release: { state: "pending", trouble: "there is no queue orders.parked" } }]);
    await expect(releasePlaces(partsWith(store), operator, { ...named, reason: " " })).rejects.toThrow("Say why");
    const done = await releasePlaces(partsWith(store), operator, named);
    expect(done.items).toMatchObject([{ state: null, release: { because: "person", state: "released" } }]);
    expect(await state()).toEqual([["parked", 0]]);
    const missing = { place: { source: "rabbit", queue, number: 99_999 }, reason: "x", elsewhere: false };
    await expect(releasePlaces(partsWith(store), operator, missing)).rejects.toMatchObject({ code: "KEY_NOT_BLOCKED" });
    const other = await held(lane.key, 77, Date.now());
    const said = await releasePlaces(partsWith(null, away), operator, {
      ...{ place: { letter: showId("letter", other) }, reason: "done by hand", elsewhere: true },
    });
    expect(said.items).toMatchObject([{ release: { state: "elsewhere" } }]);
  });
});
