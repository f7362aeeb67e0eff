import { deepEqual, equal, ok } from "node:assert/strict";
import { pause } from "../../domain/clock.ts";
import { systemClock } from "../../system/host.ts";
import {
  arrive,
  type Bench,
  type BlockedKeysPromise,
  block,
  finish,
  lane,
  numberOf,
  park,
  releaseOne,
} from "./bench.ts";

/** How parked messages come back. */
export const passes: readonly BlockedKeysPromise[] = [
  {
    title: "has nothing to fetch while the first message of each key is waiting, dead or on its way",
    async run({ store }) {
      equal(await store.claimPass(lane.queue, "me", 10_000), false);
      const first = await block(store, "m1");
      await park(store, "m2");
      equal(await store.claimPass(lane.queue, "me", 10_000), false);
      await finish(store, first);
      equal(await store.claimPass(lane.queue, "me", 10_000), true);
      equal(await store.claimPass("others", "me", 10_000), false);
    },
  },
  {
    title: "gives a pass for releases while a dead message blocks a key, and for nothing else",
    async run({ store, other }) {
      const withReleases = { forReleases: true };
      equal(await store.claimPass(lane.queue, "me", 10_000, withReleases), false);
      const first = await block(store, "m1");
      equal(await store.claimPass(lane.queue, "me", 10_000, withReleases), false);
      numberOf(await arrive(store, first), "first");
      await store.confirm(lane, first, `turn of ${first}`, "dead");
      equal(await store.claimPass(lane.queue, "me", 10_000), false);
      equal(await store.claimPass(lane.queue, "me", 10_000, withReleases), true);
      equal(await other.claimPass(lane.queue, "you", 10_000, withReleases), false);
    },
  },
  {
    title: "lets one at a time pass over the parked messages, and the next when it has ended or its lease is over",
    async run(bench) {
      const { store, other } = bench;
      await parkedFirst(bench);
      ok(await store.claimPass(lane.queue, "me", 10_000));
      ok(await store.claimPass(lane.queue, "me", 10_000));
      equal(await other.claimPass(lane.queue, "you", 10_000), false);
      await other.endPass(lane.queue, "you");
      equal(await other.claimPass(lane.queue, "you", 10_000), false);
      await store.endPass(lane.queue, "me");
      ok(await other.claimPass(lane.queue, "you", 50));
      await pause(systemClock, 100);
      ok(await store.claimPass(lane.queue, "me", 10_000));
    },
  },
  {
    title: "releases all of a lane whose first message was parked, and drops what was done with",
    async run(bench) {
      const { store } = bench;
      const { first, second, third } = await parkedFirst(bench);
      equal((await store.weigh(lane, first)).kind, "passed");
      equal((await store.weigh(lane, second)).kind, "release");
      equal((await store.weigh(lane, third)).kind, "release");
      await release(bench, second);
      equal((await store.weigh(lane, third)).kind, "release");
      equal(await store.claimPass(lane.queue, "me", 10_000), false);
    },
  },
  {
    title: "counts the messages of a queue that are parked with their number, and no others",
    async run({ store, other }) {
      const first = await block(store, "m1", "dead");
      const second = await park(store, "m2");
      await block(store, "o1", "waiting", { ...lane, queue: "others" });
      await park(store, "o2", { ...lane, queue: "others" });
      // Its message has not been sent on yet.
      numberOf(await arrive(store, "m3"), "behind");
      deepEqual([await other.countParked(lane.queue), await other.countParked("nobody")], [1, 0]);
      equal(await releaseOne(store, first), "released");
      await release({ store, other }, second);
      equal(await other.countParked(lane.queue), 0);
    },
  },
  {
    title: "keeps parked what is behind a message that waits or is dead",
    async run({ store }) {
      const first = await block(store, "m1");
      const second = await park(store, "m2");
      equal((await store.weigh(lane, second)).kind, "stay");
      await arrive(store, first);
      await store.confirm(lane, first, `turn of ${first}`, "dead");
      equal((await store.weigh(lane, second)).kind, "stay");
      equal(await releaseOne(store, first), "released");
      equal((await store.weigh(lane, second)).kind, "release");
    },
  },
  {
    title: "fetches again what was released and had to be parked again, also when the release is told late",
    async run(bench) {
      const { store } = bench;
      const { second, third } = await parkedFirst(bench);
      const weighed = await store.weigh(lane, third);
      deepEqual(await arrive(store, third), { kind: "behind", number: third });
      if (weighed.kind === "release") await store.released(lane, third, weighed.turn);
      await release(bench, second);
      equal(await finish(store, second), "parked");
      ok(await store.claimPass(lane.queue, "me", 10_000));
    },
  },
];

/** A lane whose first message is done with, and whose others are parked. */
async function parkedFirst({ store }: Bench): Promise<{ first: number; second: number; third: number }> {
  const first = await block(store, "m1");
  const second = await park(store, "m2");
  const third = await park(store, "m3");
  numberOf(await arrive(store, first), "first");
  equal(await store.leave(lane, first, `turn of ${first}`), "parked");
  return { first, second, third };
}

async function release({ store }: Bench, number: number): Promise<void> {
  const weighed = await store.weigh(lane, number);
  if (weighed.kind === "release") await store.released(lane, number, weighed.turn);
}
