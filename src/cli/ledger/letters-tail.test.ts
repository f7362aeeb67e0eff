import { describe, expect, it } from "vitest";
import type { Ask } from "../../http/client.ts";
import { arrived, type Known, knownWith } from "./letters-tail.ts";

const letter = (n: number) => ({ id: `ltr_${String(n).padStart(5, "0")}` });
const letters = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => letter(from + n));
const idsOf = (several: readonly { readonly id: string }[]) => several.map(({ id }) => id);
const nothing: Known = { ids: [], above: "" };

/** An office that holds these, given in the order in which they came, and pages through them from the newest. */
function officeWith(held: readonly { readonly id: string }[]) {
  const ask = (async (_name: string, { limit, after }: { readonly limit: number; readonly after: string | null }) => {
    const from = Number(after ?? 0);
    const items = held.toReversed().slice(from, from + limit);
    return { items, next: from + limit < held.length ? String(from + limit) : null };
  }) as Ask;
  return { ask };
}

async function newsOf(held: readonly { readonly id: string }[], known: Known) {
  const { fresh, isCut } = await arrived(officeWith(held), "", known);
  return { fresh: idsOf(fresh), isCut };
}

describe("following the letters that come", () => {
  const firstPage: Known = { ids: idsOf(letters(101, 300)).reverse(), above: letter(101).id };

  it("shows what came since, in its order", async () => {
    const news = await newsOf(letters(1, 302), firstPage);
    expect(news).toEqual({ fresh: idsOf(letters(301, 302)), isCut: false });
  });

  it("does not take for new what only moved up, because newer ones left the search", async () => {
    expect((await newsOf(letters(1, 250), firstPage)).fresh).toEqual([]);
    expect((await newsOf([...letters(1, 50), letter(301)], firstPage)).fresh).toEqual([letter(301).id]);
  });

  it("shows one that was committed a little later than its successor", async () => {
    const known = { ids: idsOf([letter(300), letter(298)]), above: "" };
    expect((await newsOf(letters(298, 300), known)).fresh).toEqual([letter(299).id]);
  });

  it("remembers a thousand, and takes nothing before them for new", async () => {
    const known = knownWith(letters(1, 1_500), nothing);
    expect([known.ids.length, known.above]).toEqual([1_000, letter(501).id]);
    expect((await newsOf(letters(1, 600), known)).fresh).toEqual([]);
    expect(knownWith(letters(1, 2), nothing)).toEqual({ ids: idsOf([letter(2), letter(1)]), above: "" });
  });

  it("says where more came than it shows", async () => {
    const { fresh, isCut } = await newsOf(letters(1, 1_500), nothing);
    expect([fresh.length, fresh[0], isCut]).toEqual([1_000, letter(501).id, true]);
  });
});
