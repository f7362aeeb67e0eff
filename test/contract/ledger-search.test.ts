import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { makeId } from "../../src/domain/ids.ts";
import { wire } from "../../src/domain/wire.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { insertDeploy } from "../../src/ledger/deploys.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { countQueues, oldestPerQueue } from "../../src/ledger/search/count-queues.ts";
import { findGroups, readGroup } from "../../src/ledger/search/find-groups.ts";
import { countLetters, findLetters, type LetterSearch } from "../../src/ledger/search/find-letters.ts";
import { readLetter } from "../../src/ledger/search/read-letter.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { onEachDatabase } from "../servers/each-database.ts";

const now = Date.UTC(2026, 10, 15, 12);
const hourMs = 3_600_000;

/** Name, hours ago, queue, class, message, category, body. */
const held: readonly (readonly [string, number, string, string, string, string, string])[] = [
  [
    "a",
    0.5,
    "orders",
    "TimeoutError",
    "POST payments-api /charge timed out after 3000 ms",
    "transient",
    '{"orderId":"o-1001"}',
  ],
  [
    "b",
    1.5,
    "orders",
    "TimeoutError",
    "POST payments-api /charge timed out after 2000 ms",
    "transient",
    '{"orderId":"o-1002"}',
  ],
  ["c", 3, "billing", "TypeError", "total is NaN", "poison", '{"invoice":{"id":"i-7"}}'],
  ["d", 30, "Orders.Events", "SchemaError", "OrderPlaced.v3 missing tax", "unknown", "plain"],
  [
    "e",
    50,
    "orders",
    "CreditLimitExceeded",
    "limit of 5000 exceeded by ops@shop.example",
    "unknown",
    "x".repeat(100_000),
  ],
];

/** Of the consumers that some of them failed in. */
const versions: Readonly<Record<string, string>> = { a: "2.14.3", b: "2.15.0-rc.1", c: "2.15.0" };

/** When some of them were first sent. */
const enqueued: Readonly<Record<string, string>> = { b: "2026-11-15T10:00:00Z", c: "2026-11-14T23:59:59Z" };

/** What is searched for, and the names of what is found, newest first. */
const searches: readonly (readonly [q: string, found: string])[] = [
  ["", "abcde"],
  ["queue:orders", "abe"],
  ["queue:ORDERS*", "abde"],
  ["queue:orders.events", "d"],
  ["-queue:orders", "cd"],
  ["queue:orders header.class:timeouterror", "ab"],
  ["queue:orders header.CLASS:Timeout", ""],
  ["queue:orders body.orderId:O-1001", "a"],
  ["queue:billing body.invoice.id:i-7", "c"],
  ["queue:orders,billing body.invoice[*].id:i-7", "c"],
  ["queue:orders.events body.invoice.id:i-7", ""],
  ["run:rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", ""],
  ["category:transient", "ab"],
  ["category:poison,unknown", "cde"],
  ["was:transient state:open is:inbox", "ab"],
  ["is:returned", ""],
  ["queue:billing OR category:transient", "abc"],
  ["(queue:billing OR queue:orders) -category:transient", "ce"],
  ["error:timed", "ab"],
  ['error:"timed out"', "ab"],
  ['error:"out timed"', ""],
  ["error:TimeoutError", "ab"],
  ["error:time*", "ab"],
  ["timeout", "ab"],
  ["payments-api", "ab"],
  ["o-1002", "b"],
  ["key:i-7", "c"],
  ["key:m-*", "abcde"],
  ["class:typeerror", "c"],
  ["class:*Error", "abcd"],
  ["code:ec", "c"],
  ["age:>1h", "bcde"],
  ["age:1h..6h", "bc"],
  ["arrived:>now-2h", "ab"],
  ["arrived:2026-11-15", "abc"],
  ["failed:>now-2h", "ab"],
  ["failed:2026-11-15", "abc"],
  ["arrived:<2026-11-15", "de"],
  ["arrived:2026-11-15T08:00Z..2026-11-15T11:00Z", "bc"],
  ["enqueued:2026-11-15", "b"],
  ["enqueued:<2026-11-15", "c"],
  ["enqueued:>=2026-11-14T23:59:59Z", "bc"],
  ["enqueued:>2026-11-14T23", "b"],
  ["enqueued:2026-11-14T23", "c"],
  ["enqueued:now-3h..now", "b"],
  ["failed:<now-1h", "bcde"],
  ["failed:now-6h..now-1h", "bc"],
  ["changed:<=now", "abcde"],
  ["-enqueued:2026-11-15", "acde"],
  ["size:>64kb", "e"],
  ["attempts:>=3 replays:0", "abcde"],
  ["attempts:>3", ""],
  ["confidence:<0.95", "abcde"],
  ["expires:<89d", "de"],
  ["error:*charge* queue:orders", "ab"],
  ["queue:orders version:<2.15.0", "ab"],
  ["queue:orders version:<=2.14", ""],
  ["queue:orders version:2.15.0-rc.1", "b"],
  ["arrived:2026-11-10..2026-11-16 version:>=v2.15", "c"],
  ["queue:orders version:2.14.0..2.14.9", "a"],
  ["has:edit", ""],
  ["has:key -has:trace", "abcde"],
  ["ctx.tenant:acme", ""],
  ["outcome:poison", ""],
  ['"%"', ""],
  ["queue:%", ""],
  ["' or 1=1", ""],
];

/** What is not searched for, and what is said about it. */
const refused: readonly (readonly [q: string, message: string])[] = [
  ["replay:ready", "cannot be searched for"],
  ["group:grp_7f3a9c", "is not an id"],
  ["error:*out", "looks at letters one by one"],
  ["ctx.mood:good", "keeps no name"],
  ["queue:", "has no value"],
  ['-queue:""', "has no value"],
  ['-" "', "nothing between these quotes"],
  ["-error:'", "There is no word in"],
  ["-has:nonsense", 'There is no has "nonsense"'],
  ["-has:n*y", 'There is no has "n*y"'],
  ["-is:foo", 'There is no is "foo"'],
  ["-state:open..resolved", 'There is no state "open..resolved"'],
  ["-hold:yes", 'Unknown filter "hold:"'],
  ["owner:payments", "cannot be searched for here"],
  ["header.class:Error", "looks at letters one by one"],
  ["version:<2", "looks at letters one by one"],
  ["queue:orders header.class:Time*", "Parts of values"],
  ["queue:orders header.authorization:x", "masked cannot be searched"],
  ["queue:orders body.contact:ops@shop.example", "masked cannot be searched"],
  ['queue:orders body.account:"de89 3704 0044 0532 0130 00"', "masked cannot be searched"],
];

onEachDatabase("a search", (tested) => {
  let ledger: Ledger;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
    for (const [name, hoursAgo, queue, errorClass, message, category, body] of held) {
      const headers = {
        queue,
        class: errorClass,
        message,
        "dlo-category": category,
        id: `m-${name}`,
        code: `E${name.toUpperCase()}`,
        ...(enqueued[name] === undefined ? {} : { enqueued: enqueued[name] }),
        ...(versions[name] === undefined ? {} : { [wire.consumer]: JSON.stringify({ version: versions[name] }) }),
      };
      const room = testRoom(() => now - hoursAgo * hourMs);
      await hold(ledger, [{ letter: deadLetter({ body, headers }), found: { kind: "position", position: name } }], {
        room,
      });
    }
    for (const { id, key } of (await find("")).items) ids.set(String(key).slice(2), id);
  });

  const find = (q: string, more: Partial<LetterSearch> = {}) =>
    findLetters(ledger, { q, sort: "-arrived", limit: 50, after: null, now, retentionMs: 90 * 24 * hourMs, ...more });
  const names = async (q: string) => (await find(q)).items.map(({ key }) => String(key).slice(2)).join("");

  it.each(searches)("finds what was asked for: %s", async (q, found) => {
    expect(await names(q)).toBe(found);
    expect(await countLetters(ledger, { q, now, retentionMs: 1 }, 4)).toBe(
      q.startsWith("expires") ? 4 : Math.min(4, found.length),
    );
  });

  it("finds a letter by its id and its group", async () => {
    const { id, group } = (await find("key:i-7")).items[0] ?? { id: "", group: "" };
    expect(await names(`id:${id}`)).toBe("c");
    expect(await names(`group:${group}`)).toBe("c");
    expect(await names(`id:${group}`)).toBe("c");
  });

  it("finds letters by the version at work on their queue, else by the one recorded last", async () => {
    const queues = [{ queue: "orders", schemas: [], inboxWindowS: null, retryHorizonS: 1, probe: false }];
    const beat = {
      v: 1,
      kind: "heartbeat",
      service: "shop",
      version: "2.15.0",
      instance: "i-1",
      queues,
      at: new Date(now).toISOString(),
    } as const;
    await noteHeartbeat(ledger, "rabbit", beat);
    const deploy = { service: "bills", schemas: [], recordedBy: "ann" };
    for (const [version, deployedAt] of [
      ["1.9.0", now - hourMs],
      ["1.10.0", now],
    ] as const) {
      const id = makeId(deployedAt, crypto.randomUUID());
      await insertDeploy(ledger, ledger.database, {
        ...deploy,
        id,
        version,
        deployedAt,
        queues: ["billing", "orders"],
      });
    }
    expect(await names("deployed:>=2.15.0")).toBe("abe");
    expect(await names("deployed:<2")).toBe("c");
    expect(await names("deployed:1.9.0")).toBe("");
  });

  it.each(refused)("refuses what it cannot do: %s", async (q, message) => {
    await expect(find(q)).rejects.toMatchObject({ code: "INVALID_QUERY" });
    await expect(find(q)).rejects.toThrow(message);
  });

  it("finds no secret, since what is masked is not searched", async () => {
    expect(await names("error:shop")).toBe("");
    expect((await find("error:exceeded")).items[0]?.errorMessage).toBe("limit of 5000 exceeded by •••");
  });

  describe("in pages", () => {
    it.each(["-arrived", "arrived"] as const)("shows each letter once, in order: %s", async (sort) => {
      const all = (await find("", { sort })).items.map(({ id }) => id);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 6 }), async (limit) => {
          const seen: string[] = [];
          for (let after: string | null = null; ; ) {
            const page = await find("", { sort, limit, after });
            seen.push(...page.items.map(({ id }) => id));
            after = page.next;
            if (after === null) break;
          }
          expect(seen).toEqual(all);
        }),
        { numRuns: 6 },
      );
    });

    it("belongs to its search and order", async () => {
      const { next } = await find("", { limit: 2 });
      await expect(find("queue:orders", { limit: 2, after: next })).rejects.toMatchObject({ code: "PAGE_MISMATCH" });
      await expect(find("", { sort: "arrived", after: next })).rejects.toMatchObject({ code: "PAGE_MISMATCH" });
      await expect(find("", { after: "nonsense" })).rejects.toMatchObject({ code: "PAGE_MISMATCH" });
    });
  });

  it("reads one letter whole", async () => {
    const letter = await readLetter(ledger, ids.get("a") ?? "");
    expect(letter.summary).toMatchObject({ queue: "orders", category: "transient", errorClass: "TimeoutError" });
    expect(Buffer.from(letter.body ?? "").toString()).toBe('{"orderId":"o-1001"}');
    expect(letter.headers.find(({ name }) => name === "class")).toMatchObject({ value: { value: "TimeoutError" } });
    expect(letter.classifications).toMatchObject([{ n: 1, category: "transient", why: "It says so." }]);
    await expect(readLetter(ledger, "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H")).rejects.toMatchObject({
      code: "LETTER_NOT_FOUND",
    });
  });

  it("lists groups, those with most open letters first", async () => {
    const groups = await findGroups(ledger, { q: "", limit: 10, onlyOpen: true, now, retentionMs: 1 });
    expect(groups.map(({ queue, open, total }) => [queue, open, total])).toEqual([
      ["orders", 2, 2],
      ["billing", 1, 1],
      ["Orders.Events", 1, 1],
      ["orders", 1, 1],
    ]);
    expect(groups[0]).toMatchObject({
      errorClass: "TimeoutError",
      oldestOpenAt: new Date(now - 1.5 * hourMs).toISOString(),
    });
    expect(groups[0]?.hours.slice(-3)).toEqual([1, 1, 0]);
    const found = await findGroups(ledger, { q: "category:poison", limit: 10, onlyOpen: true, now, retentionMs: 1 });
    expect(found.map(({ queue }) => queue)).toEqual(["billing"]);
    expect(await readGroup(ledger, found[0]?.id ?? "", now)).toEqual(found[0]);
    await expect(readGroup(ledger, "grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", now)).rejects.toMatchObject({
      code: "GROUP_NOT_FOUND",
    });
  });

  it("counts queues, and knows the oldest letter of each", async () => {
    const counts = await countQueues(ledger);
    expect(counts.reduce((sum, { n }) => sum + n, 0)).toBe(held.length);
    expect(counts).toContainEqual({ source: "rabbit", queue: "orders", category: "transient", state: "open", n: 2 });
    expect(await oldestPerQueue(ledger)).toContainEqual({
      source: "rabbit",
      queue: "orders",
      failedAt: new Date(now - 50 * hourMs).toISOString(),
    });
  });
});
