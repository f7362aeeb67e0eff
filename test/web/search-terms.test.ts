import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completionsOf } from "../../src/domain/query/complete-search.ts";
import { parseQuery } from "../../src/domain/query/parse-query.ts";
import { asksForReplay, term, termsOf, waitingIn, withoutTerm, withTerm } from "../../web/letters/search-terms.ts";

/** What a search means, wherever in the text it says so. */
function meaning(q: string): unknown {
  return JSON.parse(
    JSON.stringify(parseQuery(q), (name, value: unknown) => (["at", "length"].includes(name) ? null : value)),
  );
}

describe("the terms of a search", () => {
  it.each<readonly [string, readonly string[]]>([
    ["", []],
    ["state:open  queue:orders", ["state:open", "queue:orders"]],
    ['queue:"mails to customers",orders "it failed"', ['queue:"mails to customers",orders', '"it failed"']],
    ["state:open AND queue:orders", ["state:open", "queue:orders"]],
    ["NOT state:open - queue:orders", ["NOT state:open", "- queue:orders"]],
    ["(queue:a OR queue:b) state:open", ["(queue:a OR queue:b)", "state:open"]],
    ["-(queue:a OR (b)) AND(c)d", ["-(queue:a OR (b))", "(c)", "d"]],
    ['"a OR (b" c', ['"a OR (b"', "c"]],
    ["queue:a OR queue:b state:open", ["queue:a OR queue:b state:open"]],
    ["(a)OR(b)", ["(a)OR(b)"]],
    ['"a"OR b', ['"a"OR b']],
  ])("of %s", (q, terms) => {
    expect(termsOf(q)).toEqual(terms);
  });

  it("bind a term that is added to all of the search, also to one with alternatives", () => {
    expect(withTerm("queue:a OR queue:b", "state:open")).toBe("(queue:a OR queue:b) state:open");
    expect(withTerm("(queue:a OR queue:b) failed", "state:open")).toBe("(queue:a OR queue:b) failed state:open");
    expect(withTerm("state:open", "state:open")).toBe("state:open");
    expect(withTerm("", "state:open")).toBe("state:open");
  });

  it("leave a search that can be read, and means what the others say, when one is taken away", () => {
    const words = fc.constantFrom("a", "queue:b", "-c", "NOT d", '"e OR f"', "(g OR h)", "-(i j)");
    const joints = fc.constantFrom(" ", " AND ", "  ");
    fc.assert(
      fc.property(fc.uniqueArray(words, { minLength: 2 }), joints, (terms, joint) => {
        const q = terms.join(joint);
        expect(termsOf(q)).toEqual(terms);
        for (const gone of terms) {
          const rest = terms.filter((each) => each !== gone).join(" ");
          expect(meaning(withoutTerm(q, gone))).toEqual(meaning(rest));
        }
        expect(meaning(withTerm(`${q} OR z`, "state:open"))).toEqual(meaning(`(${q} OR z) state:open`));
      }),
      { numRuns: 50 },
    );
  });

  it("name any value so that it is read back", () => {
    for (const value of ["orders", "mails to customers", 'the "big" ones', "C:\\queue", "a)b"])
      expect(parseQuery(term("queue", value))).toMatchObject({ field: "queue", values: [{ text: value }] });
  });

  it.each([
    ["queue:orders replay:ready", true],
    ["queue:orders -(Replay:blocked OR a)", true],
    ['queue:orders "replay:ready"', false],
    ["replays:>1 run:rpl_1", false],
  ])("say whether letters have to be judged: %s", (q, isJudged) => {
    expect(asksForReplay(q)).toBe(isJudged);
  });
});

it("finds what waits in a queue whose name has quotes in it", () => {
  expect(parseQuery(waitingIn("rabbit", 'a"b'))).toMatchObject({
    parts: [{ values: [{ text: "rabbit" }] }, { values: [{ text: 'a"b' }] }, { field: "state" }],
  });
});

describe("what a search may go on with", () => {
  const texts = (typed: string) => completionsOf(typed).map(({ text }) => text);

  it("is a field, or one of the choices of the field that was typed", () => {
    expect(texts("queue:orders is:m")).toEqual(["queue:orders is:mine"]);
    expect(texts("(-is:s")).toEqual(["(-is:sent", "(-is:snoozed"]);
    expect(texts("state:open,ret")).toEqual(["state:open,returned"]);
    expect(texts("cat")).toEqual(["category:"]);
    expect(texts("head")).toEqual(["header."]);
  });

  it("is nothing where nothing was begun, within quotes, or where all is typed", () => {
    for (const typed of ["", "queue:orders ", 'error:"timed out', "is:mine", "nothing:x"])
      expect(texts(typed)).toEqual([]);
  });
});
