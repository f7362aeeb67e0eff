import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { hexOf } from "../../src/domain/ids.ts";
import { type FieldName, type QueryField, queryFields } from "../../src/domain/query/query-fields.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { findLetters } from "../../src/ledger/search/find-letters.ts";
import type { Judge } from "../../src/ledger/search/search-condition.ts";
import { attendFor } from "../../src/office/attend/attended-groups.ts";
import { type DiverseLetters, dayMs, holdDiverse, now, replayKnown } from "../ledger/diverse-letters.ts";
import { tester } from "../ledger/letters.ts";
import { onEachDatabase } from "../servers/each-database.ts";

/**
 * For each field searches that some of the letters of `holdDiverse` fit and some do not. A field that is new does not compile until it has its line
 * here, and a word of a choice (`is:…`, `has:…`) is tried without one: `holdDiverse` needs a letter on each side of it.
 */
const halves: Readonly<Record<FieldName, readonly string[]>> = {
  category: ["category:trans*"],
  was: ["was:transient,poison"],
  outcome: [],
  state: ["state:open,resolved", "state:*ed"],
  is: ["is:d*"],
  has: ["has:e*"],
  replay: [],
  queue: ["queue:orders", "queue:ORD*", "queue:none,billing"],
  source: ["source:kafka", "source:k*a*"],
  broker: ["broker:kafka"],
  consumer: ["consumer:shop", "consumer:s*"],
  host: ["host:web-7", "host:web-*"],
  partition: ["partition:3", "partition:>1"],
  offset: ["offset:48211", "offset:48000..49000"],
  type: ["type:OrderPlaced", "type:order*"],
  owner: ["owner:payments", "owner:ann", "owner:PAY*"],
  tag: ["tag:hold", "tag:legal", "tag:HOLD,legal", "tag:*l*"],
  assignee: ["assignee:ann", "assignee:me", "assignee:a*"],
  error: ["error:timeout", 'error:"timed out"', "error:tim*"],
  class: ["class:TimeoutError", "class:*Error"],
  code: ["code:E42", "code:e*"],
  group: [],
  id: [],
  run: [],
  meanwhile: [],
  trace: ["trace:4bf92f3577b34da6a3ce929d0e0e4736"],
  key: ["key:m-known", "key:m-*"],
  header: ["header.x-tenant:acme"],
  body: ["body.order.id:812"],
  ctx: ["ctx.tenant:acme", "ctx.tenant:a*"],
  version: ["version:2.15.0", "version:<3", "version:2.0..2.99"],
  deployed: [],
  age: ["age:>30h", "age:1h..3h"],
  idle: ["idle:>30h"],
  expires: ["expires:<80d"],
  failed: ["failed:>now-30h", "failed:2026-11-15"],
  arrived: ["arrived:>now-30h", "arrived:2026-11-15"],
  changed: ["changed:>now-30h"],
  enqueued: ["enqueued:2026-11-14", "enqueued:<2026-11-15"],
  attempts: ["attempts:>5", "attempts:3..8"],
  replays: ["replays:>=1", "replays:0"],
  size: ["size:>1kb"],
  confidence: ["confidence:>0.95"],
};

/** What looks at letters one by one, and has to be told at which. */
const bounded = (q: string) => (/^(header|body|version|replay)\b/.test(q) ? "queue:*" : "");

const choices = Object.entries(queryFields).flatMap(([name, { of = [] }]: readonly [string, QueryField]) =>
  of.map((word) => `${name}:${word}`),
);

/** Any of these searches, one by one or put together. */
function searchesOf(each: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { query } = fc.letrec<{ query: string }>((tie) => ({
    query: fc.oneof(
      { maxDepth: 3 },
      each,
      each.map((q) => `-${q}`),
      fc.tuple(tie("query"), fc.constantFrom(" ", " OR "), tie("query")).map(([a, how, b]) => `(${a}${how}${b})`),
      tie("query").map((q) => `NOT (${q})`),
    ),
  }));
  return query;
}

const judge: Judge = async (ids) => {
  const words = queryFields.replay.of;
  return new Map(ids.map((id, place) => [hexOf(id), words[place % words.length] ?? ""]));
};

async function find({ ledger }: DiverseLetters, q: string): Promise<readonly string[]> {
  const search = { q, sort: "arrived", limit: 200, after: null, now, retentionMs: 90 * dayMs } as const;
  const owners = new Map([["kafka", "payments"]]);
  const page = await findLetters(ledger, { ...search, owners, judge, attend: attendFor(ledger, tester.id, now) });
  return page.items.map(({ id }) => id);
}

/** That what fits it, and what does not, are all there are, and none is both. Gives how many fit it. */
async function split(held: DiverseLetters, q: string): Promise<number> {
  const bound = bounded(q);
  const [fits, rest] = await Promise.all([find(held, `${bound} (${q})`), find(held, `${bound} -(${q})`)]);
  expect([...fits, ...rest].sort(), q).toEqual(held.all.map(({ id }) => id).sort());
  return fits.length;
}

onEachDatabase("each field of the search", (tested) => {
  let held: DiverseLetters;
  let tried: readonly string[] = [];
  beforeAll(async () => {
    held = await holdDiverse(await openLedger({ database: tested.database }));
    const replay = await replayKnown(held);
    const { id, group } = held.named("known");
    const byId = [`run:${replay}`, `meanwhile:${replay}`, `id:${id}`, `group:${group}`, "deployed:>=2"];
    tried = [...Object.values(halves).flat(), ...choices, ...byId];
  });

  it("has a search that some letters fit and some do not, and each letter is on one side of it", async () => {
    const fields = tried.map((q) => q.split(/[.:]/)[0]);
    expect(new Set(fields)).toEqual(new Set(Object.keys(queryFields)));
    const oneSided: string[] = [];
    for (const q of tried) {
      const n = await split(held, q);
      if (n === 0 || n === held.all.length) oneSided.push(`${q} fits ${n} of ${held.all.length}`);
    }
    expect(oneSided).toEqual([]);
  });

  it("splits all letters whatever is put together", async () => {
    const each = fc.constantFrom(...tried.filter((q) => bounded(q) === ""));
    await fc.assert(
      fc.asyncProperty(searchesOf(each), async (q) => {
        await split(held, q);
      }),
      { numRuns: 25 },
    );
  });
});
