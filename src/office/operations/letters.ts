import { z } from "zod";
import { categories } from "../../domain/classification.ts";
import { letterSorts } from "../../domain/letter-columns.ts";
import { countLetters, findLetters } from "../../ledger/search/find-letters.ts";
import { letterFacets } from "../../ledger/search/letter-facets.ts";
import { outcomeMatrix } from "../../ledger/search/outcome-matrix.ts";
import { readLetter } from "../../ledger/search/read-letter.ts";
import { searchedNow, searchedUnjudged } from "../replay/searched-now.ts";
import { daysAgo, insightDays } from "./insights.ts";
import { letterSummary, wholeLetter } from "./letter-shapes.ts";
import { operation } from "./operation.ts";
import { showLetter } from "./show-letter.ts";
import { searchWarning, warningsOf, warningsOfNothing } from "./unknown-names.ts";

/** Counting goes no further: more than this is "more than this". */
const countedAtMost = 10_000;

export const listLetters = operation({
  name: "letters.list",
  summary: "letters that match a search, a page at a time",
  role: "viewer",
  isScoped: true,
  input: z.object({
    q: z.string().default(""),
    sort: z.enum(letterSorts).default("-arrived"),
    limit: z.int().min(1).max(200).default(50),
    after: z.string().nullable().default(null),
  }),
  output: z.object({
    items: z.array(letterSummary),
    next: z.string().nullable(),
    /** With the first page. */
    warnings: z.array(searchWarning),
  }),
  async run(office, input, actor) {
    const search = { ...input, ...searchedNow(office, actor) };
    const page = await findLetters(office.ledger, search);
    const warn = page.items.length === 0 ? warningsOfNothing : warningsOf;
    const warnings = input.after === null ? await warn(office.ledger, search) : [];
    return { ...page, items: [...page.items], warnings };
  },
});

export const countMatching = operation({
  name: "letters.count",
  summary: "how many letters match a search",
  role: "viewer",
  isScoped: true,
  input: z.object({ q: z.string().default("") }),
  output: z.object({ n: z.number(), isExact: z.boolean(), warnings: z.array(searchWarning) }),
  async run(office, { q }, actor) {
    const search = { q, ...searchedNow(office, actor) };
    const n = await countLetters(office.ledger, search, countedAtMost + 1);
    const warnings = await (n === 0 ? warningsOfNothing : warningsOf)(office.ledger, search);
    return { n: Math.min(n, countedAtMost), isExact: n <= countedAtMost, warnings };
  },
});

const facet = z.array(z.object({ value: z.string(), n: z.number() }));

export const countFacets = operation({
  name: "letters.facets",
  summary: "how many letters match a search, and how many of them have each state, category and queue",
  role: "viewer",
  isScoped: true,
  input: z.object({ q: z.string().default("") }),
  output: z.object({
    n: z.number(),
    /** Where it is not, all figures are of the first that were found. */
    isExact: z.boolean(),
    states: facet,
    categories: facet,
    queues: facet,
  }),
  // Nobody judges for it: a list with `replay:` has judged its letters already, and once is dear enough.
  async run(office, { q }, actor) {
    const found = await letterFacets(office.ledger, { q, ...searchedUnjudged(office, actor) }, countedAtMost + 1);
    const { n, states, categories, queues } = found;
    const isExact = n <= countedAtMost;
    const facets = { states: [...states], categories: [...categories], queues: [...queues] };
    return { n: Math.min(n, countedAtMost), isExact, ...facets };
  },
});

export const getLetter = operation({
  name: "letters.get",
  summary: "one letter whole, with what must not be shown masked",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: wholeLetter,
  run: async ({ ledger, masking, bodies }, { id }) =>
    showLetter(await readLetter(ledger, id), { ledger, masking, bodies }),
});

export const getMatrix = operation({
  name: "letters.matrix",
  summary:
    "what replayed letters were taken for on arrival, and what became of them; of those that arrived in so many days, or of all",
  role: "viewer",
  isScoped: true,
  input: z.object({ days: insightDays.nullable().default(null) }),
  output: z.object({ items: z.array(z.object({ was: z.enum(categories), became: z.string(), n: z.number() })) }),
  async run({ ledger, clock }, { days }) {
    const since = days === null ? null : daysAgo(clock, days);
    return { items: [...(await outcomeMatrix(ledger, since))] };
  },
});
