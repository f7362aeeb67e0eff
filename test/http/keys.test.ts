import { describe, expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { keySums } from "../../src/office/keys/key-sums.ts";
import type { BlockedKeysAdmin, BlockedKeysSummary } from "../../src/stores/blocked-keys.ts";
import { memoryBlockedKeys } from "../../src/stores/memory-blocked-keys.ts";
import { nextTurn } from "../../src/system/turn.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { type TestServer, useLedger } from "./open-server.ts";

const roles = [
  { name: "accounts-ops", is: "operator", queues: ["*/accounts"], reveals: false },
  { name: "jobs-ops", is: "operator", queues: ["jobs/*"], reveals: false },
  { name: "late-ops", is: "operator", queues: ["*/late"], reveals: false },
] as const;

interface Look {
  readonly items: readonly { readonly place: string; readonly key: string; readonly letter: { id: string } | null }[];
  readonly unchecked: readonly { readonly source: string; readonly why: string }[];
  readonly next: string | null;
}

/** A dead message that blocks its key, with its letter; and one that waits behind it. */
async function blockedKey(
  { ledger }: TestServer,
  store: ReturnType<typeof memoryBlockedKeys>,
  [queue, text]: [string, string],
  source = "rabbit",
) {
  const lane = { queue, key: new TextEncoder().encode(text) };
  const place = async (fate: "dead" | "parked") => {
    const turn = crypto.randomUUID();
    const number = await store.enter(lane, { mark: new TextEncoder().encode(turn), turn });
    await store.confirm(lane, number, turn, fate);
    return number;
  };
  const dead = await place("dead");
  await place("parked");
  const headers = { queue, class: "NoAccount", "dlo-queue": queue, "dlo-lane": String(dead) };
  const message = makeMessage({ body: text, headers, key: lane.key });
  const letter = deadLetter({}, { message, queue: `${queue}.dlq` });
  await hold(ledger, [{ letter, found: { kind: "position", position: crypto.randomUUID() } }], { source });
}

describe("blocked keys over HTTP", () => {
  const ledgers = useLedger();

  async function world(ask: "answers" | "away" | "unsaid" = "answers", sources = ["rabbit"]) {
    const store = memoryBlockedKeys();
    const server = await ledgers.open({
      roles,
      office: {
        sourceNames: () => sources,
        async blockedKeysOf() {
          if (ask === "away") throw new Error("connect ECONNREFUSED postgres://dlo:hunter2@db:5432");
          return ask === "unsaid" ? null : store;
        },
        async sendRelease() {
          throw new Error("there is no queue wages.parked");
        },
      },
    });
    const get = async (cookie: string, path: string) =>
      (await server.fromPage(cookie, `/api/v1${path}`)).json<Look & { readonly error?: { readonly code: string } }>();
    return { server, store, get };
  }

  it("shows somebody of some queues those alone, keys masked, and lets nobody release others", async () => {
    const { server, store, get } = await world();
    await blockedKey(server, store, ["accounts", "ana@example.com"]);
    await blockedKey(server, store, ["wages", "w-1"]);
    const admin = await server.signedIn("root");
    expect((await get(admin, "/keys")).items.map(({ key }) => key)).toEqual([
      expect.not.stringContaining("ana@"),
      "w-1",
    ]);
    const scoped = await server.signedIn("olga", ["accounts-ops"]);
    const [own, ...others] = (await get(scoped, "/keys")).items;
    expect([own?.place, others]).toEqual([expect.stringMatching(/^rabbit\/accounts\/\d+$/), []]);
    const wages = (await get(admin, "/keys?queue=wages")).items[0];
    const release = async (cookie: string, place: string, reason = "closed") => {
      const answer = await server.fromPage(cookie, `/api/v1/keys/${encodeURIComponent(place)}/release`, { reason });
      return [answer.statusCode, answer.json<{ readonly error?: { readonly code: string } }>().error?.code];
    };
    for (const place of [wages?.place ?? "", wages?.letter?.id ?? ""])
      expect((await release(scoped, place))[0], place).toBe(404);
    const viewer = await server.signedIn("vera", ["viewer"]);
    expect((await release(viewer, own?.place ?? ""))[0]).toBe(403);
    expect((await release(scoped, own?.place ?? "", " "))[0]).toBe(400);
    expect(await release(scoped, own?.place ?? "")).toEqual([200, undefined]);
    expect((await get(scoped, `/keys/${encodeURIComponent("rabbit/accounts/99")}`)).error?.code).toBe(
      "key.not_blocked",
    );
    const { items } = await get(admin, "/keys?queue=wages");
    expect(items).toMatchObject([{ state: "dead", behind: 1 }]);
  });

  it("belongs to the source that has its queue, where several share a store: counted once, and out of reach for others", async () => {
    const { server, store, get } = await world("answers", ["jobs", "kafka"]);
    await blockedKey(server, store, ["bills", "b-7"], "kafka");
    const admin = await server.signedIn("root");
    const listed = (await get(admin, "/keys?queue=bills")).items.map(({ place }) => place);
    expect(listed).toEqual([expect.stringMatching(/^kafka\/bills\/\d+$/)]);
    const metrics = (await server.fromPage(admin, "/metrics")).body;
    expect(metrics).toContain('dlo_blocked_keys{source="kafka",queue="bills",state="dead"} 1\n');
    expect(metrics).not.toContain('dlo_blocked_keys{source="jobs"');
    const scoped = await server.signedIn("joe", ["jobs-ops"]);
    expect((await get(scoped, "/keys")).items).toEqual([]);
    const foreign = `/api/v1/keys/${encodeURIComponent((listed[0] ?? "").replace("kafka", "jobs"))}`;
    expect((await server.fromPage(scoped, foreign)).statusCode).toBe(404);
    for (const cookie of [scoped, admin])
      expect((await server.fromPage(cookie, `${foreign}/release`, { reason: "mine" })).statusCode).toBe(404);
    expect(await store.list("bills")).toMatchObject([{ state: "dead", behind: 1 }]);
  });

  it("asks a store for its sums once in 15 s and once at a time, and never holds /metrics up for it", async () => {
    let asked = 0;
    let answer = (_sums: readonly BlockedKeysSummary[]) => {};
    const store: BlockedKeysAdmin = {
      ...memoryBlockedKeys(),
      async summarize() {
        asked += 1;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    };
    const clock = fakeClock(Date.now());
    const office = { clock, sourceNames: () => ["rabbit"], blockedKeysOf: async () => store, keySums: keySums(clock) };
    const server = await ledgers.open({ office });
    await blockedKey(server, memoryBlockedKeys(), ["sums", "s-7"]);
    const admin = await server.signedIn("root");
    const scraped = async () => {
      const scrape = server.fromPage(admin, "/metrics").then(({ body }) => body.match(/^dlo_blocked_keys\w*{.*$/gm));
      let lines: readonly string[] | null | undefined;
      void scrape.then((found) => {
        lines = found;
      });
      let waitedMs = 0;
      for (; lines === undefined; await nextTurn())
        if (asked > 0 && waitedMs < 1_000) {
          waitedMs += 100;
          await clock.advance(100);
        }
      return lines ?? [];
    };
    const unchecked = ['dlo_blocked_keys_unchecked{source="rabbit"} 1'];
    expect([await scraped(), asked]).toEqual([unchecked, 1]);
    expect([await scraped(), asked]).toEqual([unchecked, 1]);
    const sums = { queue: "sums", state: "dead", keys: 3, behind: 7, since: clock.now() - 60_000 } as const;
    answer([sums]);
    const told = ['dlo_blocked_keys{source="rabbit",queue="sums",state="dead"} 3'];
    expect(await scraped()).toEqual(expect.arrayContaining(told));
    await clock.advance(10_000);
    expect([await scraped(), asked]).toEqual([expect.arrayContaining(told), 1]);
    // Silent again, it is known for a while by what it said last.
    await clock.advance(10_000);
    expect([await scraped(), asked]).toEqual([expect.arrayContaining(told), 2]);
    await clock.advance(120_000);
    expect([await scraped(), asked]).toEqual([unchecked, 2]);
  });

  it("asks a store about places that are to be released, also where another message of the key is first", async () => {
    const store = memoryBlockedKeys();
    const failing: BlockedKeysAdmin = {
      ...{ list: store.list.bind(store), find: store.find.bind(store), summarize: store.summarize.bind(store) },
      release: async () => Promise.reject(new Error("read only")),
    };
    const server = await ledgers.open({
      office: { sourceNames: () => ["rabbit"], blockedKeysOf: async () => failing },
    });
    for (const _ of [1, 2]) await blockedKey(server, store, ["pending", "p-7"]);
    const admin = await server.signedIn("root");
    const listed = async () =>
      (await server.fromPage(admin, "/api/v1/letters?q=queue:pending&sort=arrived")).json<{
        items: { id: string }[];
      }>();
    const second = (await listed()).items[1]?.id;
    const said = { letters: [second], reason: "closed" };
    expect((await server.fromPage(admin, "/api/v1/letters/drop", said)).statusCode).toBe(200);
    const { items } = (await server.fromPage(admin, "/api/v1/keys?queue=pending")).json<Look>();
    expect(items).toMatchObject([
      { state: "dead", behind: 3, release: null },
      { state: "dead", behind: 1, release: { state: "pending" }, letter: { id: second } },
    ]);
  });

  it("shows a key behind more keys of other queues than are listed, and says that there are more", async () => {
    const { server, store, get } = await world();
    await blockedKey(server, store, ["early", "e-0"]);
    for (let n = 1; n <= 110; n++) {
      const lane = { queue: "early", key: new TextEncoder().encode(`e-${n}`) };
      await store.confirm(lane, await store.enter(lane, { mark: lane.key, turn: "t" }), "t", "dead");
    }
    await blockedKey(server, store, ["late", "l-7"]);
    const scoped = await server.signedIn("lou", ["late-ops"]);
    expect(await get(scoped, "/keys")).toMatchObject({ items: [{ key: "l-7" }], next: null });
    const admin = await server.signedIn("root");
    const all = await get(admin, "/keys?queue=early");
    expect([all.items.length, all.next]).toEqual([100, expect.any(String)]);
  });

  it("knows of letters that were escalated or given back that they still block their keys, where no store can be asked", async () => {
    const { server, store, get } = await world("unsaid");
    const admin = await server.signedIn("root");
    for (const key of ["s-1", "s-2"]) await blockedKey(server, store, ["silent", key]);
    const shown = async () => (await get(admin, "/keys?queue=silent")).items;
    const [first, second] = await shown();
    const decide = (name: string, letter: string | undefined) =>
      server.fromPage(admin, `/api/v1/letters/${name}`, { letters: [letter], reason: "not ours" });
    expect((await decide("escalate", first?.letter?.id)).statusCode).toBe(200);
    expect((await decide("give-back", second?.letter?.id)).statusCode).toBe(200);
    expect((await shown()).map(({ key }) => key)).toEqual(["s-1", "s-2"]);
    const { body } = await server.fromPage(admin, "/metrics");
    expect(body).toContain('dlo_blocked_keys_unchecked{source="rabbit"} 1\n');
  });

  it("says of letters that were given back that their keys still wait, and how to release them", async () => {
    const { server, store, get } = await world();
    await blockedKey(server, store, ["accounts", "a-7"]);
    const admin = await server.signedIn("root");
    const letter = (await get(admin, "/keys?queue=accounts")).items.at(-1)?.letter?.id ?? "";
    const back = await server.fromPage(admin, "/api/v1/letters/give-back", { letters: [letter], reason: "not ours" });
    expect(back.json()).toMatchObject({ letters: 1, blocking: [letter] });
    expect(await store.list("accounts")).toMatchObject([{ state: "dead", behind: 1 }]);
    const shown = (await get(admin, `/keys/${letter}`)).items;
    expect(shown).toMatchObject([{ state: "dead", behind: 1, release: null, letter: { state: "dropped" } }]);
  });

  it.each([
    ["away", "connect ECONNREFUSED"],
    ["unsaid", "`keys:`"],
  ] as const)("shows what is known of letters where the store is %s, and why it knows no more", async (ask, why) => {
    const { server, store, get } = await world(ask);
    await blockedKey(server, store, ["wages", `w-${ask}`]);
    const admin = await server.signedIn("root");
    const { items, unchecked } = await get(admin, "/keys?queue=wages");
    expect(items.find(({ key }) => key === `w-${ask}`)).toMatchObject({ state: null, behind: null, letter: {} });
    expect(unchecked).toMatchObject([{ source: "rabbit", why: expect.stringContaining(why) as string }]);
    expect(JSON.stringify(unchecked)).not.toContain("hunter2");
    const letter = items.find(({ key }) => key === `w-${ask}`)?.letter?.id ?? "";
    const tried = await server.fromPage(admin, `/api/v1/keys/${letter}/release`, { reason: "closed" });
    expect(tried.json<Look>().items).toMatchObject([
      { release: { state: "pending", trouble: expect.any(String) as string } },
    ]);
  });
});
