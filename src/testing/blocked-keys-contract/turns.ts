import { deepEqual, equal, ok } from "node:assert/strict";
import { arrive, type BlockedKeysPromise, block, bytes, lane, numberOf, park, releaseOne } from "./bench.ts";

/** What is left by processes that died, and said by processes that should have. */
export const turns: readonly BlockedKeysPromise[] = [
  {
    title: "finds the number again of a message that was not sent on with it",
    async run({ store, other }) {
      const first = await store.enter(lane, { mark: bytes("m1"), turn: "one" });
      equal(await other.enter(lane, { mark: bytes("m1"), turn: "two" }), first);
      deepEqual(await arrive(other, "m1"), { kind: "first", number: first, charge: null });
      equal(await other.confirm(lane, first, "turn of m1", "waiting"), "noted");
      const second = numberOf(await arrive(store, "m2"), "behind");
      equal(numberOf(await arrive(other, "m2"), "behind"), second);
    },
  },
  {
    title: "gives equal messages numbers of their own once the first carries its number",
    async run({ store }) {
      const first = await block(store, "same");
      const second = await park(store, "same");
      ok(second > first);
    },
  },
  {
    title: "forgets a number that was never sent on when the next message comes: somebody else settled the first",
    async run({ store, other }) {
      const lost = await store.enter(lane, { mark: bytes("m1"), turn: "one" });
      deepEqual(await arrive(other, "m2"), { kind: "free" });
      equal(await store.confirm(lane, lost, "one", "waiting"), "passed");
      deepEqual(await arrive(store, lost), { kind: "passed" });
    },
  },
  {
    title: "forgets such a number in the middle of a lane, and blocks the key all the same",
    async run({ store }) {
      const first = await block(store, "m1");
      const lost = numberOf(await arrive(store, "m2"), "behind");
      const third = await park(store, "m3");
      deepEqual(await arrive(store, lost), { kind: "passed" });
      numberOf(await arrive(store, first), "first");
      equal(await store.leave(lane, first, `turn of ${first}`), "parked");
      equal(numberOf(await arrive(store, third), "first"), third);
    },
  },
  {
    title: "remembers what was charged until there is a result",
    async run({ store, other }) {
      const number = await store.enter(lane, { mark: bytes("m1"), turn: "one", charge: '{"attempt":1}' });
      deepEqual(await arrive(other, "m1"), { kind: "first", number, charge: '{"attempt":1}' });
      equal(await other.charge(lane, number, "turn of m1", '{"attempt":2}'), "noted");
      deepEqual(await arrive(store, "m1"), { kind: "first", number, charge: '{"attempt":2}' });
      equal(await store.keep(lane, number, "turn of m1"), "noted");
      deepEqual(await arrive(store, "m1"), { kind: "first", number, charge: null });
      equal(await store.charge(lane, number, "turn of m1", '{"attempt":3}'), "noted");
      equal(await store.confirm(lane, number, "turn of m1", "waiting"), "noted");
      deepEqual(await arrive(store, number), { kind: "first", number, charge: null });
    },
  },
  {
    title: "changes nothing for a turn that is over",
    async run({ store, other }) {
      const number = await block(store, "m1");
      await arrive(store, number, { turn: "earlier" });
      await arrive(other, number, { turn: "later" });
      equal(await store.charge(lane, number, "earlier", "{}"), "lost");
      equal(await store.keep(lane, number, "earlier"), "lost");
      equal(await store.confirm(lane, number, "earlier", "dead"), "lost");
      equal(await store.leave(lane, number, "earlier"), "lost");
      equal(await releaseOne(store, number), "alive");
      equal(await other.leave(lane, number, "later"), "open");
    },
  },
  {
    title: "does the same when it is asked again for what it has done",
    async run({ store }) {
      const number = await store.enter(lane, { mark: bytes("m1"), turn: "one" });
      for (const again of [1, 2]) equal(await store.confirm(lane, number, "one", "waiting"), "noted", `time ${again}`);
      for (const again of [1, 2]) equal(numberOf(await arrive(store, number), "first"), number, `time ${again}`);
      for (const again of [1, 2]) equal(await store.leave(lane, number, `turn of ${number}`), "open", `time ${again}`);
    },
  },
];
