import { letterSorts } from "../../domain/letter-columns.ts";
import { pastTtl } from "../../domain/past-ttl.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { choiceFlag, optional, queryFlag, textFlag } from "../flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { queryInView } from "../views/views.ts";
import { type AtWork, ledgerFlags, withOffice } from "./ledger-flags.ts";
import { limitFlag, upTo } from "./limit-flag.ts";
import { noteWarnings } from "./search-warnings.ts";

export const lettersCommand = command({
  name: "letters list",
  summary: "letters in the ledger that match a search, newest first",
  examples: [
    { line: "dlo letters -q 'category:transient queue:orders age:>1h'", about: "a page of them" },
    { line: "dlo letters -q 'error:\"timed out\"' --json", about: "for a program: { items, next }" },
    { line: "dlo letters -q 'key:o-1001'", about: "the letter of one order" },
    {
      line: "dlo letters list -q - --unmasked-because 'chargeback 7'",
      about: "by what is masked elsewhere, for who may see it; what is searched for stays out of the shell's history",
    },
    { line: "dlo letters list --view came-back -q 'queue:orders'", about: "of what a saved view finds" },
  ],
  details: [
    "docs/reference/query-language.md has the search syntax. Errors are shown with secrets and personal data masked.",
  ],
  flags: {
    ...ledgerFlags,
    query: queryFlag("which letters; all without it; - reads it from standard input"),
    view: textFlag({ placeholder: "VIEW", about: "only what this view finds; `dlo views list` has them" }),
    sort: optional(
      choiceFlag({
        about: "by when they came or failed, the last or first of it first",
        of: letterSorts,
        default: "-arrived",
      }),
      "as the view has it, else -arrived",
    ),
    limit: limitFlag("how many letters at most"),
    after: textFlag({ placeholder: "NEXT", about: "the page after the one that gave this" }),
    "unmasked-because": textFlag({
      placeholder: "TEXT",
      about: "search what is masked too, newest first; why goes to the audit log",
    }),
  },

  async run({ query, view, sort, limit, after, "unmasked-because": reason, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const { ask } = work;
      const { q, sort: inView } = await queryInView(work, view, await asked(query, context));
      const order = sort ?? inView ?? "-arrived";
      const from = after === "" ? null : after;
      const page = await upTo(limit, { pageSize: 200, from }, (size, place) =>
        reason === ""
          ? ask("letters.list", { q, sort: order, limit: size, after: place })
          : ask("letters.searchMasked", { q, reason, limit: size, after: place }),
      );
      if (json) context.print(JSON.stringify(page));
      else {
        noteWarnings(page.warnings ?? [], context);
        if (page.items.length > 0) context.print(lettersTable(page.items, context));
        context.note(
          page.items.length === 0 ? "No letters match." : await shownOf(work, page, reason === "" ? q : null),
        );
        if (page.next !== null) context.note(`More: --after ${page.next}, or --limit all`);
      }
      return exit.done;
    });
  },
});

/** Nothing on standard input is somebody's mistake, and would match everything. */
async function asked(query: string, { input }: Context): Promise<string> {
  if (query !== "-") return query;
  let piped = "";
  for await (const text of input("-")) piped += text;
  if (piped.trim() === "")
    throw new UsageError("missing_value", "`-q -` reads the search from standard input, and nothing came.");
  return piped.trim();
}

/** Of a search for what is masked only the list may be seen: nobody counts for it. */
async function shownOf(
  { ask }: AtWork,
  { items }: { readonly items: Readonly<Letters> },
  counted: string | null,
): Promise<string> {
  const shown = `Showing ${showNumber(items.length)}`;
  if (counted === null) return shown;
  const { n, isExact } = await ask("letters.count", { q: counted });
  return `${shown} of ${isExact ? showNumber(n) : `more than ${showNumber(n)}`}`;
}

type Letters = OutputOf<"letters.list">["items"];

function lettersTable(letters: Readonly<Letters>, { terminal, when, clock }: Context): string {
  const rows = letters.map(({ id, category, was, queue, errorClass, errorMessage, attempts, failedAt, ...letter }) => [
    id,
    [letter.state, pastTtl(letter.expiresAt, clock.now())].filter((part) => part !== null).join(", "),
    was === category ? category : `${category} (was ${was})`,
    visible(queue),
    attempts === null ? "" : String(attempts),
    when(failedAt),
    visible([errorClass, errorMessage].filter((part) => part !== null).join(": ")),
  ]);
  const titles = ["LETTER", "STATE", "CATEGORY", "QUEUE", "ATTEMPTS", "AGE", "ERROR"];
  const right = new Set(["ATTEMPTS", "AGE"]);
  return table(
    titles.map((title) => ({ title, align: right.has(title) ? ("right" as const) : ("left" as const) })),
    rows,
    terminal,
  );
}
