import { beforeAll, expect, it } from "vitest";
import { readId, showId } from "../../src/domain/ids.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { findLetters } from "../../src/ledger/search/find-letters.ts";
import { judgeAlone } from "../../src/office/replay/judge-alone.ts";
import { searchedNow } from "../../src/office/replay/searched-now.ts";
import { systemHost } from "../../src/system/host.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { hasProbe, holdLetters, makeUncertain, operator, replayWorld } from "./world.ts";

onEachDatabase("searching for letters that may be replayed", (tested) => {
  let ledger: Ledger;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
    for (const [name, category] of [
      ["a", "transient"],
      ["b", "transient"],
      ["c", "poison"],
      ["d", "unknown"],
    ] as const) {
      const [id] = await holdLetters(ledger, [name], { "dlo-category": category });
      if (id !== undefined) ids.set(showId("letter", id), name);
    }
  });

  const names = async (q: string, { parts } = replayWorld(ledger)) => {
    const now = searchedNow(
      { clock: systemHost.clock, retentionMs: 1e10, replay: parts, sources: { book: { all: () => [] } } },
      operator,
    );
    const { items } = await findLetters(ledger, { q, sort: "arrived", limit: 50, after: null, ...now });
    return items.map(({ id }) => ids.get(id)).join("");
  };

  it.each([
    ["queue:orders replay:ready", "ab"],
    ["queue:orders replay:blocked", "cd"],
    ["queue:orders -replay:ready", "cd"],
    ["queue:orders (replay:blocked category:poison OR category:transient)", "abc"],
    ["category:transient replay:never", ""],
    ["queue:nothing replay:ready", ""],
  ])("judges them at this moment: %s", async (q, found) => {
    expect(await names(q)).toBe(found);
  });

  it("says of a letter by itself why it may go or not, and what would change it", async () => {
    const { parts } = replayWorld(ledger);
    const judged = await judgeAlone(
      parts,
      operator,
      [...ids.keys()].map((id) => readId("letter", id)),
    );
    const said = judged.map(({ id, outlook, judgement: { code, change } }) => {
      return [ids.get(showId("letter", id)), outlook, code, change !== ""];
    });
    expect(said).toEqual([
      ["a", "ready", "ready", false],
      ["b", "ready", "ready", false],
      ["c", "blocked", "fix.missing", true],
      ["d", "blocked", "category.unknown", true],
    ]);
  });

  it.each([
    ["its policy's probe", { url: "https://shop.test/{letter}" }],
    ["its consumer's probe", null],
  ])("asks nobody outside about them, neither %s nor a health check", async (_whom, probe) => {
    const queue = `charges-${crypto.randomUUID()}`;
    const letters = await holdLetters(ledger, ["e"], { queue });
    for (const id of letters) ids.set(showId("letter", id), "e");
    await makeUncertain(ledger, letters);
    await hasProbe(ledger, queue);
    const asked: string[] = [];
    const { parts } = replayWorld(ledger, { protocol: { probe, health: ["https://shop.test/health"] } });
    const listening = {
      ...parts,
      async call(url: string) {
        asked.push(url);
        return { status: 200, body: new Uint8Array() };
      },
      probe: async (_source: string, to: string) => void asked.push(to),
    };
    expect(await names(`queue:${queue} replay:needs-acknowledgement`, { parts: listening, sent: [] })).toBe("e");
    expect(asked).toEqual([]);
  });

  it("judges a thousand letters at most", async () => {
    const many = Array.from({ length: 1_001 }, (_, n) => `many ${n}`);
    await holdLetters(ledger, many, { queue: "many", "dlo-category": "poison" });
    await expect(names("queue:many replay:ready")).rejects.toThrow("looks at 1,000 letters at most");
    expect(await names("queue:orders replay:ready")).toBe("ab");
  });

  it("needs something that narrows it down", async () => {
    await expect(names("replay:ready")).rejects.toThrow("judged letter by letter");
    await expect(names("queue:orders OR replay:ready")).rejects.toMatchObject({ code: "INVALID_QUERY" });
  });
});
