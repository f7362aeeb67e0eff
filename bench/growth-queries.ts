import { headerText } from "../src/domain/message.ts";
import { wire } from "../src/domain/wire.ts";
import type { Ledger } from "../src/ledger/ledger.ts";
import { countQueues, oldestPerQueue } from "../src/ledger/search/count-queues.ts";
import { findGroups } from "../src/ledger/search/find-groups.ts";
import { findLetters, type LetterSearch } from "../src/ledger/search/find-letters.ts";
import { withSteps } from "../src/office/gates/find-steps.ts";
import { inboxOf } from "../src/office/inbox.ts";
import { policyReader } from "../src/office/policy/policy-in-force.ts";
import { heldLetters } from "./growth-letters.ts";
import { benchLetter, benchQueues } from "./ledger-letters.ts";

/** What people ask of a ledger. */
export interface GrowthQuery {
  readonly name: string;
  /** Milliseconds, each to stay below. */
  readonly goalMs: { readonly p50: number; readonly p99: number | null };
  /** Gives the question, the nth of many: each is asked about another queue, group or letter. */
  readonly prepare: (ledger: Ledger, letters: number) => Promise<(n: number) => Promise<unknown>>;
}

const quick = { p50: 5, p99: 20 };
const freeText = { p50: 20, p99: null };
const retentionMs = 90 * 86_400_000;
const pageSize = 50;

export const growthQueries: readonly GrowthQuery[] = [
  { name: "inbox", goalMs: quick, prepare: async (ledger) => () => inbox(ledger) },
  { name: "group, first page", goalMs: quick, prepare: firstPages },
  { name: "group, deep page", goalMs: quick, prepare: deepPage },
  { name: "counts by queue and category", goalMs: quick, prepare: async (ledger) => () => countQueues(ledger) },
  { name: "oldest of each queue", goalMs: quick, prepare: async (ledger) => () => oldestPerQueue(ledger) },
  search("by queue", quick, (n) => `queue:queue-${n % benchQueues}`),
  search("by category", quick, (n) => `category:${categories[n % categories.length]}`),
  search("by error class", quick, (n) => `class:${errorClassOf(n)}`),
  { name: "search by queue, category, class", goalMs: quick, prepare: namedPages },
  search("by business key", quick, (n, letters) => `key:order-${numberIn(n, letters)}`),
  search("text, in many", freeText, (n) => `error:${words[n % words.length]}`),
  search("text, a phrase", freeText, (n) => `error:"${phrases[n % phrases.length]}"`),
  search("text, in few", freeText, (n, letters) => `error:"order ${numberIn(n, letters)}"`),
  search("text, in one queue", freeText, (n) => `queue:queue-${n % benchQueues} error:${words[n % words.length]}`),
];

/** The number of a letter that came by the intake. */
const numberIn = (n: number, letters: number) => (n * 7_919) % Math.min(letters, heldLetters);

const categories = ["transient", "schema_mismatch", "business_rule", "poison", "lost_context"];
const words = ["deadlock", "payments", "refused", "limit", "undefined", "required"];
const phrases = ["timed out", "deadlock detected", "missing required property", "does not exist"];

/** Of the letter of that number. */
function errorClassOf(n: number): string {
  const error = headerText(benchLetter(n).message.headers, wire.error) ?? "{}";
  return (JSON.parse(error) as { class: string }).class;
}

function search(name: string, goalMs: GrowthQuery["goalMs"], q: (n: number, letters: number) => string): GrowthQuery {
  return {
    name: `search ${name}`,
    goalMs,
    prepare: async (ledger, letters) => (n) => page(ledger, { q: q(n, letters) }),
  };
}

function page(ledger: Ledger, search: Pick<LetterSearch, "q"> & Partial<LetterSearch>) {
  return findLetters(ledger, {
    ...{ sort: "-arrived", limit: pageSize, after: null, now: Date.now(), retentionMs },
    ...search,
  });
}

function openGroups(ledger: Ledger) {
  return findGroups(ledger, { q: "", limit: 200, onlyOpen: true, now: Date.now(), retentionMs });
}

async function inbox(ledger: Ledger): Promise<unknown> {
  const policy = policyReader(ledger);
  return inboxOf(await withSteps({ ledger, policy }, await openGroups(ledger)), Date.now()).slice(0, pageSize);
}

async function firstPages(ledger: Ledger): Promise<(n: number) => Promise<unknown>> {
  const groups = await openGroups(ledger);
  return (n) => page(ledger, { q: `group:${groups[n % groups.length]?.id}` });
}

/** By what the letters of a group have in common. */
async function namedPages(ledger: Ledger): Promise<(n: number) => Promise<unknown>> {
  const groups = await openGroups(ledger);
  return (n) => {
    const { queue, category, errorClass } = groups[n % groups.length] ?? {};
    return page(ledger, { q: `queue:${queue} category:${category} class:${errorClass}` });
  };
}

/** In the middle of the largest group. */
async function deepPage(ledger: Ledger): Promise<() => Promise<unknown>> {
  const [largest] = await openGroups(ledger);
  const q = `group:${largest?.id}`;
  let after: string | null = null;
  for (let seen = 0; seen < (largest?.total ?? 0) / 2; seen += 1_000) {
    const { next } = await page(ledger, { q, limit: 1_000, after });
    after = next ?? after;
  }
  return () => page(ledger, { q, after });
}
