import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/domain/database.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { insertReleases } from "../../src/ledger/key-releases.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import type { BlockedKeys } from "../../src/stores/blocked-keys.ts";
import { postgresBlockedKeys } from "../../src/stores/postgres-blocked-keys.ts";
import { type TestServer, testServer } from "../http/open-server.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { onEachDatabase } from "../servers/each-database.ts";

type Page = OutputOf<"keys.list">;

interface Dead {
  readonly source: string;
  readonly queue: string;
  readonly key: Uint8Array;
  readonly number: number;
}

const nameOf = ({ source, queue, number }: Dead) => `${source}/${queue}/${number}`;

/** A dead message that blocks its key, or waits behind another dead one of it. */
async function die(store: BlockedKeys, source: string, [queue, text]: readonly [string, string]): Promise<Dead> {
  const lane = { queue, key: new TextEncoder().encode(text) };
  const turn = crypto.randomUUID();
  const number = await store.enter(lane, { mark: new TextEncoder().encode(turn), turn });
  await store.confirm(lane, number, turn, "dead");
  return { ...lane, source, number };
}

async function holdLettersOf(ledger: Ledger, dead: readonly Dead[]): Promise<void> {
  for (const { source, queue, key, number } of dead) {
    const headers = { queue, class: "NoAccount", "dlo-queue": queue, "dlo-lane": String(number) };
    const letter = deadLetter({}, { message: makeMessage({ body: "{}", headers, key }), queue: `${queue}.dlq` });
    await hold(ledger, [{ letter, found: { kind: "position", position: crypto.randomUUID() } }], { source });
  }
}

/** 120 keys of two queues in one store, 80 in another, and 50 whose store never answers. Five have a second dead message. */
async function worldOn(database: Database) {
  const ledger = await openLedger({ database });
  const stores = {
    eu: postgresBlockedKeys({ database, schema: "keys_eu" }),
    us: postgresBlockedKeys({ database, schema: "keys_us" }),
  };
  const away = new Set(["mute"]);
  const eu: Dead[] = [];
  const us: Dead[] = [];
  for (let n = 0; n < 120; n++) {
    eu.push(await die(stores.eu, "eu", [n % 2 === 0 ? "accounts" : "orders", `eu-${n}`]));
    if (n < 80) us.push(await die(stores.us, "us", ["bookings", `us-${n}`]));
  }
  const second: Dead[] = [];
  for (const n of [3, 20, 41, 90, 110])
    second.push(await die(stores.eu, "eu", [n % 2 === 0 ? "accounts" : "orders", `eu-${n}`]));
  const mute = Array.from({ length: 50 }, (_, n) => {
    return { source: "mute", queue: "wages", key: new TextEncoder().encode(`m-${n}`), number: n + 1 };
  });
  await holdLettersOf(ledger, [...eu.slice(0, 2), ...us, ...mute]);
  const note = (places: readonly Dead[]) =>
    insertReleases(
      ledger,
      ledger.database,
      places.map((place) => ({ ...place, letter: null })),
      "person",
    );
  const server = testServer(ledger, {
    office: {
      sourceNames: () => ["eu", "us", "mute"],
      async blockedKeysOf(source) {
        if (away.has(source)) throw new Error("connect ECONNREFUSED 10.0.0.7:5432");
        return source === "eu" ? stores.eu : stores.us;
      },
    },
  });
  return { ledger, stores, server, away, note, eu, us, mute, second };
}

async function pageOf(server: TestServer, cookie: string, query: string) {
  return (await server.fromPage(cookie, `/api/v1/keys?${query}`)).json<
    Page & { readonly error?: { readonly code: string; readonly message: string } }
  >();
}

const limit = 20;

/** All pages, one after the other; between them things may change. */
async function walk(server: TestServer, cookie: string, between: (pages: readonly Page[]) => Promise<void>) {
  const pages: Page[] = [];
  for (let after: string | null = ""; after !== null && pages.length < 40; ) {
    const page = await pageOf(server, cookie, `limit=${limit}${after === "" ? "" : `&after=${after}`}`);
    expect(page.error).toBe(undefined);
    pages.push(page);
    await between(pages);
    after = page.next;
  }
  return { pages, places: pages.flatMap(({ items }) => items.map(({ place }) => place)) };
}

const shownOf = (pages: readonly Page[]) => new Set(pages.flatMap(({ items }) => items.map(({ place }) => place)));
const sorted = (names: Iterable<string>) => [...names].toSorted();

onEachDatabase("pages of blocked keys", (tested) => {
  let world: Awaited<ReturnType<typeof worldOn>>;
  let cookie: string;
  beforeAll(async () => {
    world = await worldOn(tested.database);
    cookie = await world.server.signedIn("root");
  }, 180_000);

  it("show every key of three sources once, and each page but the last is full", async () => {
    const { server, note, eu, us, mute, second } = world;
    await note([...eu.slice(30, 60), ...second]);
    const { pages, places } = await walk(server, cookie, async () => {});
    expect(sorted(places)).toEqual(sorted([...eu, ...us, ...mute, ...second].map(nameOf)));
    expect(pages.map(({ items }) => items.length)).toEqual([...Array.from({ length: 12 }, () => limit), 15]);
    expect(pages.map(({ unchecked }) => unchecked.map(({ source }) => source))).toEqual(pages.map(() => ["mute"]));
    expect(pages.slice(1).every(({ unchecked }) => unchecked[0]?.why.includes("first page"))).toBe(true);
    const numbers = pages
      .flatMap(({ items }) => items.filter(({ source }) => source === "us"))
      .map((key) => key.number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(pages.flatMap(({ items }) => items.filter(({ release }) => release !== null))).toHaveLength(35);
  });

  it("are full and end where the last key is, whatever the size of a page", async () => {
    const { server, us } = world;
    const half = await pageOf(server, cookie, "source=us&limit=40");
    const rest = await pageOf(server, cookie, `source=us&limit=40&after=${half.next}`);
    expect([...half.items, ...rest.items].map(({ place }) => place)).toEqual(us.map(nameOf));
    expect(rest.next).toBe(null);
  });

  it("refuse what no page gave, and what a page of another list gave", async () => {
    const { server } = world;
    const { next } = await pageOf(server, cookie, "limit=20");
    const [name] = JSON.parse(Buffer.from(next ?? "", "base64url").toString()) as [string];
    const forged = [
      { begunAt: 1e300, numbers: [], release: null, silent: [] },
      { begunAt: 1, numbers: [["eu", -1]], release: null, silent: [] },
      { begunAt: 1, numbers: [], release: { notedAt: 1, source: "\0", queue: "q", lane: "", number: 1 }, silent: [] },
      {
        begunAt: 1,
        numbers: [],
        release: null,
        silent: [{ sources: ["mute"], isUnsaid: false, last: { letter: "'" } }],
      },
    ].map((cursor) => Buffer.from(JSON.stringify([name, cursor])).toString("base64url"));
    for (const query of [
      "after=7",
      "after=",
      "after=bnVsbA",
      `source=eu&after=${next}`,
      ...forged.map((a) => `after=${a}`),
    ])
      expect(await pageOf(server, cookie, query), query).toMatchObject({
        error: {
          code: "page.mismatch",
          message: expect.stringContaining("Start from the first page again.") as string,
        },
      });
  });

  it("neither skip nor repeat a key because others are released, noted or blocked between them", async () => {
    const { ledger, server, stores, note, eu, us, mute, second } = world;
    const touched = new Set<string>();
    const touch = (places: readonly Dead[]) => {
      for (const place of places) touched.add(nameOf(place));
      return places;
    };
    const noted = new Set<string>();
    const added: Dead[] = [];
    const { places } = await walk(server, cookie, async (pages) => {
      const n = pages.length;
      const shown = shownOf(pages);
      const unpending = [...eu.slice(0, 30), ...eu.slice(60)].filter(
        (place) => !touched.has(nameOf(place)) && !noted.has(nameOf(place)),
      );
      const before = unpending.filter((place) => shown.has(nameOf(place))).slice(0, 2);
      const behind = unpending.filter((place) => !shown.has(nameOf(place))).slice(0, 2);
      // One on each side of the page's end is released by its consumer, and one is to be released.
      await stores.eu.release(touch([...before.slice(0, 1), ...behind.slice(0, 1)]));
      const toRelease = [...before.slice(1), ...behind.slice(1)];
      await note(toRelease);
      for (const place of toRelease) noted.add(nameOf(place));
      added.push(
        await die(stores.eu, "eu", ["accounts", `new-${n}`]),
        await die(stores.us, "us", ["bookings", `new-${n}`]),
      );
      // Those behind them, which are to be released and among the releases, are first of their keys now.
      if (n === 3) await stores.eu.release(touch([3, 20, 41, 90, 110].flatMap((index) => eu[index] ?? [])));
      // Carried out while the pages are read, and some found alive.
      if (n === 4) {
        const ended = touch(eu.slice(30, 36));
        await stores.eu.release(ended);
        await end(ledger, ended, "released");
        await end(ledger, eu.slice(36, 40), "alive");
      }
    });
    expect(places).toHaveLength(new Set(places).size);
    const untouched = [...eu, ...us, ...mute, ...second].map(nameOf).filter((place) => !touched.has(place));
    expect(untouched.filter((place) => !places.includes(place))).toEqual([]);
    // New ones are behind all others of their store.
    expect(places.filter((place) => added.map(nameOf).includes(place)).length).toBeGreaterThan(10);
  });

  it("go on with the letters of a store that stops answering, behind the keys that it listed", async () => {
    const { server, away, us, mute } = world;
    const { pages, places } = await walk(server, cookie, async ({ length }) => {
      if (length === 3) away.add("us");
      if (length === 6) away.delete("us");
    });
    expect(places).toHaveLength(new Set(places).size);
    const known = [...us, ...mute].map(nameOf);
    expect(known.filter((place) => !places.includes(place))).toEqual([]);
    expect(pages[2]?.unchecked.map(({ source }) => source)).toEqual(["mute"]);
    expect(sorted(pages[3]?.unchecked.map(({ source }) => source) ?? [])).toEqual(["mute", "us"]);
    expect(pages.at(-1)?.unchecked.map(({ source }) => source)).toContain("us");
  });
});

async function end({ database, at }: Ledger, places: readonly Dead[], state: "released" | "alive"): Promise<void> {
  await database.query(
    `update ${at}.key_releases set state = $1, ended_at = ${at}.clock() where source = 'eu' and number = any ($2::bigint[])`,
    [state, places.map(({ number }) => number)],
  );
}
