import { pause } from "../../domain/clock.ts";
import { pastTtl } from "../../domain/past-ttl.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag, queryFlag, switchFlag } from "../flags.ts";
import { visible } from "../terminal/text.ts";
import { type AtWork, ledgerFlags, withOffice } from "./ledger-flags.ts";
import { noteWarnings } from "./search-warnings.ts";

const everyMs = 2_000;
/** What comes faster than anybody reads is not fetched to the last one. */
const pagesAtMost = 5;
const pageSize = 200;
const knownAtMost = pagesAtMost * pageSize;

export const lettersTailCommand = command({
  name: "letters tail",
  inLines: true,
  summary: "the letters that came last, and with --follow those that come, a line each",
  examples: [
    { line: "dlo letters tail -f", about: "the last ten, then each as it comes, until Ctrl-C" },
    { line: "dlo letters tail -f -q 'queue:orders' --json", about: "for a program: one letter a line" },
  ],
  details: ["Errors are shown with secrets and personal data masked."],
  flags: {
    ...ledgerFlags,
    query: queryFlag("which letters; all without it"),
    follow: switchFlag("go on until Ctrl-C", "f"),
    lines: numberFlag({ about: "how many of those that are there", default: 10, min: 0, max: pageSize, integer: true }),
  },

  async run({ query, follow, lines, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const { items, next, warnings } = await work.ask("letters.list", { q: query, limit: pageSize });
      noteWarnings(warnings, context);
      const show = (letter: Letter) => context.print(json ? JSON.stringify(letter) : lineOf(letter, context));
      for (const letter of items.slice(0, lines).reverse()) show(letter);
      const known = { ids: items.map(({ id }) => id), above: next === null ? "" : (items.at(-1)?.id ?? "") };
      if (follow) await followed(work, query, { show, known }, context);
      return exit.done;
    });
  },
});

type Letter = OutputOf<"letters.list">["items"][number];

/** What is no news. */
export interface Known {
  /** Of those that were there or were shown, the newest first. */
  readonly ids: readonly string[];
  /** Ids are in the order of arrival: from this one down, what comes into sight was only hidden by what has left the search. */
  readonly above: string;
}

interface Following {
  readonly show: (letter: Letter) => void;
  readonly known: Known;
}

async function followed(work: AtWork, q: string, { show, known: first }: Following, context: Context): Promise<void> {
  const { clock, signal, note } = context;
  let known = first;
  for (;;) {
    await pause(clock, everyMs, signal);
    if (signal.aborted) return;
    const { fresh, isCut } = await arrived(work, q, known);
    if (isCut) note(`More than ${knownAtMost} came at once; the oldest of them are not shown.`);
    for (const letter of fresh) show(letter);
    known = knownWith(fresh, known);
  }
}

/** What is not known yet, in the order in which it came. */
export async function arrived({ ask }: Pick<AtWork, "ask">, q: string, { ids, above }: Known) {
  const known = new Set(ids);
  const fresh: Letter[] = [];
  let after: string | null = null;
  for (let page = 0; page < pagesAtMost; page++) {
    const { items, next }: OutputOf<"letters.list"> = await ask("letters.list", { q, limit: pageSize, after });
    const unknown = items.filter(({ id }) => id > above && !known.has(id));
    fresh.push(...unknown);
    if (unknown.length < items.length || next === null) return { fresh: fresh.reverse(), isCut: false };
    after = next;
  }
  return { fresh: fresh.reverse(), isCut: true };
}

/** Only so many are held against what comes next, so that following for days costs nothing more. */
export function knownWith(fresh: readonly Pick<Letter, "id">[], { ids: before, above }: Known): Known {
  const ids = [...fresh.map(({ id }) => id), ...before].sort().reverse().slice(0, knownAtMost);
  return { ids, above: ids.length < knownAtMost ? above : (ids.at(-1) ?? above) };
}

function lineOf(letter: Letter, { when, clock }: Pick<Context, "when" | "clock">): string {
  const { id, arrivedAt, category, source, queue, errorClass, errorMessage, expiresAt } = letter;
  const error = [errorClass, errorMessage].filter((part) => part !== null).join(": ");
  const past = pastTtl(expiresAt, clock.now());
  const parts = [when(arrivedAt, "utc"), id, category, visible(`${source}/${queue}`), past, visible(error)];
  return parts.filter((part) => part !== null).join("  ");
}
