import { deepEqual, equal, ok } from "node:assert/strict";
import { arrive, type BlockedKeysPromise, block, bytes, finish, lane, numberOf, park, releaseOne } from "./bench.ts";

/** Who is next of a key. */
export const lanes: readonly BlockedKeysPromise[] = [
  {
    title: "lets messages of a key go that nothing is ahead of",
    async run({ store }) {
      deepEqual(await arrive(store, "m1"), { kind: "free" });
    },
  },
  {
    title: "lets the message that blocks its key go, and gives those behind it numbers that rise",
    async run({ store, other }) {
      const first = await block(store, "m1");
      const second = await park(other, "m2");
      const third = await park(store, "m3");
      ok(first < second && second < third, `${first}, ${second}, ${third}`);
      deepEqual(await arrive(other, first), { kind: "first", number: first, charge: null });
      deepEqual(await arrive(other, third), { kind: "behind", number: third });
    },
  },
  {
    title: "lets them go one after the other, and opens the key behind the last",
    async run({ store, other }) {
      const first = await block(store, "m1");
      const second = await park(store, "m2");
      equal(await finish(store, first), "parked");
      equal(await finish(other, second), "open");
      deepEqual(await arrive(store, "m3"), { kind: "free" });
    },
  },
  {
    title: "knows a copy of what was done with, as long as the key is blocked and afterwards",
    async run({ store }) {
      const first = await block(store, "m1");
      const second = await park(store, "m2");
      await finish(store, first);
      deepEqual(await arrive(store, first), { kind: "passed" });
      await finish(store, second);
      deepEqual(await arrive(store, second), { kind: "passed" });
      await block(store, "m3");
      deepEqual(await arrive(store, second), { kind: "passed" });
    },
  },
  {
    title: "lets a dead letter that was put back go in its place, and takes it for a new message once that is gone",
    async run({ store }) {
      const first = await block(store, "m1", "dead");
      await park(store, "m2");
      equal(numberOf(await arrive(store, first, { revived: true }), "first"), first);
      equal(await releaseOne(store, first), "released");
      const again = numberOf(await arrive(store, first, { revived: true }), "behind");
      ok(again > first);
      equal(numberOf(await arrive(store, first, { revived: true }), "behind"), again);
    },
  },
  {
    title: "releases a key behind a dead message, and behind no other",
    async run({ store, other }) {
      equal(await releaseOne(store, 1), "gone");
      const first = await block(store, "m1", "waiting");
      equal(await releaseOne(other, first), "alive");
      numberOf(await arrive(store, first), "first");
      equal(await store.confirm(lane, first, `turn of ${first}`, "dead"), "noted");
      const second = await park(store, "m2");
      equal(await releaseOne(store, second), "alive");
      equal(await releaseOne(store, first, { ...lane, queue: "others" }), "gone");
      equal(await releaseOne(other, first), "released");
      equal(await releaseOne(store, first), "gone");
      equal(numberOf(await arrive(store, second), "first"), second);
    },
  },
  {
    title: "releases one dead message and never the next of its key, however often it is asked",
    async run({ store, other }) {
      const first = await block(store, "m1", "dead");
      const second = await park(store, "m2");
      const answers = await Promise.all([store, other, store].map((each) => releaseOne(each, first)));
      deepEqual(
        answers.toSorted((one, other) => one.localeCompare(other)),
        ["gone", "gone", "released"],
      );
      numberOf(await arrive(store, second), "first");
      equal(await store.confirm(lane, second, `turn of ${second}`, "dead"), "noted");
      equal(await releaseOne(other, first), "gone");
      const [{ blocked } = { blocked: null }] = await store.find([{ ...lane, number: first }]);
      deepEqual([blocked?.number, blocked?.state], [second, "dead"]);
    },
  },
  {
    title: "releases many places with one question, and says of each what came of it",
    async run({ store, other }) {
      const elsewhere = { queue: "refunds", key: bytes("account-9") };
      const waiting = { ...lane, key: bytes("account-8") };
      const numbers = { first: await block(store, "m1", "dead"), behind: await park(store, "m2") };
      numberOf(await arrive(store, numbers.first, { revived: true }), "first");
      equal(await store.confirm(lane, numbers.first, `turn of ${numbers.first}`, "dead"), "noted");
      const others = [await block(store, "n1", "waiting", waiting), await block(store, "o1", "dead", elsewhere)];
      const [alive = 0, dead = 0] = others;
      const places = [
        ...[
          { ...lane, number: numbers.first },
          { ...elsewhere, number: dead },
          { ...waiting, number: alive },
        ],
        ...[
          { ...lane, number: numbers.behind },
          { ...elsewhere, number: numbers.first },
        ],
      ];
      deepEqual(await other.release(places), ["released", "released", "alive", "alive", "gone"]);
      deepEqual(await store.release(places), ["gone", "gone", "alive", "alive", "gone"]);
      deepEqual(await store.release([]), []);
      equal(numberOf(await arrive(store, numbers.behind), "first"), numbers.behind);
      deepEqual(await arrive(store, "o2", { in: elsewhere }), { kind: "free" });
    },
  },
  {
    title: "releases all dead messages of a key at once, each once, and lets the next one run",
    async run({ store, other }) {
      const first = await block(store, "m1", "dead");
      const second = await park(store, "m2");
      equal(await releaseOne(store, first), "released");
      numberOf(await arrive(store, second), "first");
      equal(await store.confirm(lane, second, `turn of ${second}`, "dead"), "noted");
      const third = numberOf(await arrive(store, first, { revived: true }), "behind");
      equal(await store.confirm(lane, third, `turn of ${first}`, "dead"), "noted");
      const fourth = await park(store, "m4");
      const places = [third, second, third].map((number) => ({ ...lane, number }));
      deepEqual((await other.release(places)).toSorted(), ["gone", "released", "released"]);
      equal(numberOf(await arrive(store, fourth), "first"), fourth);
    },
  },
  {
    title: "releases more places than it takes at once, and the same ones for two who ask in opposite order",
    async run({ store, other }) {
      const lanes = Array.from({ length: 210 }, (_, index) => ({ ...lane, key: bytes(`account-${index}`) }));
      const places = await Promise.all(
        lanes.map(async (where) => ({ ...where, number: await block(store, "m1", "dead", where) })),
      );
      const [ours, theirs] = await Promise.all([store.release(places), other.release(places.toReversed())]);
      equal(ours.length + theirs.length, 2 * places.length);
      ok(places.every((_, index) => (ours[index] === "released") !== (theirs.at(-1 - index) === "released")));
      deepEqual(await store.list(null), []);
    },
  },
  {
    title: "lets a key go on behind a dead message also while that was put back and runs, and does not wait for it",
    async run({ store, other }) {
      const first = await block(store, "m1", "dead");
      const second = await park(store, "m2");
      equal(numberOf(await arrive(store, first, { revived: true }), "first"), first);
      // Said late, of a message that is dead again, an arrival must not keep its key from being released.
      equal(await releaseOne(other, first), "released");
      equal(await store.keep(lane, first, `turn of ${first}`), "passed");
      equal(await store.leave(lane, first, `turn of ${first}`), "parked");
      equal(numberOf(await arrive(store, second), "first"), second);
    },
  },
  {
    title:
      "leaves a dead message dead when a delivery of before its death arrives late, which is a copy until it is put back",
    async run({ store, other }) {
      const first = await block(store, "m1", "dead");
      deepEqual(await arrive(other, first), { kind: "passed" });
      deepEqual(
        (await other.list(lane.queue)).map(({ state }) => state),
        ["dead"],
      );
      equal(numberOf(await arrive(store, first, { revived: true }), "first"), first);
      equal(await store.keep(lane, first, `turn of ${first}`), "noted");
      equal(numberOf(await arrive(other, first), "first"), first);
      await other.confirm(lane, first, `turn of ${first}`, "dead");
      equal(await releaseOne(other, first), "released");
    },
  },
  {
    title: "knows a dead message that comes once more without its number, also when its place was released",
    async run({ store, other }) {
      const [copy, ofEqual] = [bytes("at 0:17"), bytes("at 0:18")];
      const first = await store.enter(lane, { mark: bytes("m1"), turn: "one" });
      numberOf(await arrive(store, "m1", { copy, turn: "two" }), "first");
      equal(await store.confirm(lane, first, "two", "dead", copy), "noted");
      deepEqual(await arrive(other, "m1", { copy }), { kind: "passed" });
      deepEqual(await store.list(lane.queue).then((keys) => keys.map(({ behind }) => behind)), [0]);
      equal(numberOf(await arrive(other, first, { revived: true, copy }), "first"), first);
      const second = numberOf(await arrive(other, "m1", { copy: ofEqual }), "behind");
      equal(await other.confirm(lane, second, "turn of m1", "parked", ofEqual), "noted");
      equal(await releaseOne(other, first), "released");
      deepEqual(await arrive(store, "m1", { copy }), { kind: "passed" });
      equal(await finish(store, second), "open");
      deepEqual(await arrive(store, "m1", { copy }), { kind: "passed" });
      deepEqual(await arrive(store, "m1", { copy, in: { ...lane, queue: "others" } }), { kind: "free" });
      deepEqual(await arrive(store, "m1"), { kind: "free" });
    },
  },
  {
    title: "knows a replayed message that died once more, by what it and the one before it came with",
    async run({ store, other }) {
      const [original, replayed] = [bytes("send 1"), bytes("send 2")];
      const first = await store.enter(lane, { mark: bytes("m1"), turn: "one" });
      equal(await store.confirm(lane, first, "one", "dead", original), "noted");
      equal(numberOf(await arrive(store, first, { revived: true, copy: replayed, turn: "two" }), "first"), first);
      equal(await store.confirm(lane, first, "two", "dead", replayed), "noted");
      equal(await releaseOne(store, first), "released");
      deepEqual(await arrive(other, "m1", { copy: original }), { kind: "passed" });
      deepEqual(await arrive(other, first, { revived: true, copy: replayed }), { kind: "passed" });
      deepEqual(await arrive(other, "m1", { revived: true, copy: replayed }), { kind: "passed" });
      deepEqual(await arrive(other, first, { revived: true, copy: bytes("send 3") }), { kind: "free" });
    },
  },
  {
    title: "keeps queues and keys apart, whatever bytes a key has",
    async run({ store }) {
      const keys = ["", "a", "A", "\0", "x".repeat(3_000)].map(bytes).concat(Uint8Array.of(255, 0, 128));
      for (const key of keys) await block(store, "m1", "waiting", { queue: "orders", key });
      for (const key of keys) equal((await arrive(store, "m2", { in: { queue: "others", key } })).kind, "free");
      equal((await store.list("orders")).length, keys.length);
      deepEqual(new Set((await store.list("orders")).map(({ key }) => String(key))), new Set(keys.map(String)));
    },
  },
  {
    title: "lists the keys that wait, longest first, and how many wait behind",
    async run({ store, other }) {
      const later = { ...lane, key: bytes("account-8") };
      await block(store, "m1", "dead");
      await park(store, "m2");
      await block(store, "n1", "waiting", later);
      const [first, second] = await other.list(lane.queue);
      deepEqual([first?.state, first?.behind, second?.state, second?.behind], ["dead", 1, "waiting", 0]);
      ok(first && second && first.since > 1e12 && first.since <= second.since);
      equal((await other.list(lane.queue, { limit: 1 })).length, 1);
      deepEqual(await store.list("nobody"), []);
    },
  },
  {
    title: "lists the keys of all queues, some at a time, and sums them up by queue and state",
    async run({ store, other }) {
      const elsewhere = { queue: "refunds", key: bytes("account-7") };
      deepEqual([await store.list(null), await store.summarize()], [[], []]);
      await block(store, "m1", "dead");
      await park(store, "m2");
      await park(store, "m3");
      await block(store, "n1", "dead", elsewhere);
      await block(store, "o1", "dead", { ...lane, key: bytes("account-8") });
      const all = await other.list(null);
      deepEqual(
        all.map(({ queue, behind }) => [queue, behind]),
        [
          ["orders", 2],
          ["refunds", 0],
          ["orders", 0],
        ],
      );
      deepEqual(await other.list(null, { limit: 1, after: all[0]?.number ?? 0 }), all.slice(1, 2));
      const sums = (await other.summarize()).toSorted((one, two) => (one.queue < two.queue ? -1 : 1));
      deepEqual(
        sums.map(({ queue, state, keys, behind, since }) => [queue, state, keys, behind, since > 1e12]),
        [
          ["orders", "dead", 2, 2, true],
          ["refunds", "dead", 1, 0, true],
        ],
      );
    },
  },
  {
    title: "lists a queue and all queues from a number on, whatever is released and blocked between two pages",
    async run({ store, other }) {
      const lanes = Array.from({ length: 7 }, (_, n) => ({
        queue: n % 2 === 0 ? "orders" : "refunds",
        key: bytes(`a-${n}`),
      }));
      const numbers: number[] = [];
      for (const [n, where] of lanes.entries()) numbers.push(await block(store, `m${n}`, "dead", where));
      const listed = async (queue: string | null, after: number, limit: number) =>
        (await other.list(queue, { after, limit })).map(({ number }) => number);
      const numberAt = (n: number) => numbers[n] ?? 0;
      deepEqual(await listed(null, 0, 3), numbers.slice(0, 3));
      deepEqual(await listed("orders", 0, 2), [numberAt(0), numberAt(2)]);
      // The last one listed goes, the one after it too; another comes.
      const [last = lane, next = lane] = lanes.slice(2, 4);
      await store.release([
        { ...last, number: numberAt(2) },
        { ...next, number: numberAt(3) },
      ]);
      const late = await block(store, "late", "dead", { queue: "refunds", key: bytes("late") });
      deepEqual(await listed(null, numberAt(2), 3), numbers.slice(4, 7));
      deepEqual(await listed(null, numberAt(6), 3), [late]);
      deepEqual(await listed("orders", numberAt(2), 9), [numberAt(4), numberAt(6)]);
      deepEqual(await listed("refunds", numberAt(2), 9), [numberAt(5), late]);
      deepEqual(await listed(null, late, 9), []);
    },
  },
  {
    title: "finds many lanes and places with one question",
    async run({ store, other }) {
      const first = await block(store, "m1", "dead");
      const second = await park(store, "m2");
      await park(store, "m3");
      const open = { queue: "orders", key: Uint8Array.of(0, 255) };
      const asked = [first, second, 999_999_999, null].map((number) => ({ ...lane, number }));
      const found = await other.find([...asked, { ...open, number: first }]);
      const [blocked] = await store.list(lane.queue);
      deepEqual(
        found.map((each) => each.place),
        [{ state: "dead", ahead: 0, behind: 2 }, { state: "parked", ahead: 1, behind: 1 }, null, null, null],
      );
      deepEqual(
        found.map((each) => each.blocked?.number ?? null),
        [first, first, first, first, null],
      );
      deepEqual([found[0]?.blocked?.behind, Buffer.from(found[0]?.blocked?.key ?? []).toString()], [2, "account-7"]);
      deepEqual([blocked?.number, await other.find([])], [first, []]);
    },
  },
  {
    title: "tells of no key whose number was not sent on: nobody waits behind it",
    async run({ store }) {
      const number = await store.enter(lane, { mark: bytes("m1"), turn: "one" });
      deepEqual(await store.list(lane.queue), []);
      equal(await store.confirm(lane, number, "one", "waiting"), "noted");
      equal((await store.list(lane.queue)).length, 1);
    },
  },
  {
    title: "gives each of many that come at once a number of its own, and one of them the first",
    async run({ store, other }) {
      const names = Array.from({ length: 12 }, (_, index) => `m${index}`);
      const first = await block(store, "m");
      const places = await Promise.all(
        names.map((name, index) => park(index % 2 ? store : other, name).catch(() => 0)),
      );
      const numbers = places.filter((number) => number > 0);
      equal(new Set(numbers).size, numbers.length);
      ok(numbers.length > 0);
      equal(numberOf(await arrive(store, first), "first"), first);
    },
  },
];
