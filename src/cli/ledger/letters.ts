import { showAge } from "../../domain/duration.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { choiceFlag, numberFlag, textFlag } from "../flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { type AtWork, ledgerFlags, withOffice } from "./ledger-flags.ts";

export const lettersCommand = command({
  name: "letters list",
  summary: "letters in the ledger that match a search, newest first",
  examples: [
    { line: "dlo letters -q 'category:transient queue:orders age:>1h'", about: "a page of them" },
    { line: "dlo letters -q 'error:\"timed out\"' --json", about: "for a program: { items, next }" },
    { line: "dlo letters -q 'key:o-1001'", about: "the letter of one order" },
  ],
  details: [
    "docs/reference/query-language.md has the search syntax. Errors are shown with secrets and personal data masked.",
  ],
  flags: {
    ...ledgerFlags,
    query: { ...textFlag({ placeholder: "QUERY", about: "which letters; all without it" }), short: "q" },
    sort: choiceFlag({ about: "newest or oldest first", of: ["-arrived", "arrived"], default: "-arrived" }),
    limit: numberFlag({ about: "letters on a page", default: 50, min: 1, max: 200 }),
    after: textFlag({ placeholder: "NEXT", about: "the page after the one that gave this" }),
  },

  async run({ query, sort, limit, after, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const page = await ask("letters.list", { q: query, sort, limit, after: after === "" ? null : after });
      if (json) context.print(JSON.stringify(page));
      else {
        if (page.items.length > 0) context.print(lettersTable(page.items, context));
        const { n, isExact } = await ask("letters.count", { q: query });
        const all = isExact ? showNumber(n) : `more than ${showNumber(n)}`;
        context.note(page.items.length === 0 ? "No letters match." : `${showNumber(page.items.length)} of ${all}`);
        if (page.next !== null) context.note(`More: --after ${page.next}`);
      }
      return exit.done;
    });
  },
});

type Letters = Awaited<ReturnType<typeof listed>>["items"];
const listed = ({ ask }: AtWork) => ask("letters.list", {});

const longestError = 60;

function lettersTable(letters: Letters, { terminal, clock }: Context): string {
  const now = clock.now();
  const rows = letters.map(({ id, category, was, queue, errorClass, errorMessage, attempts, failedAt, state }) => [
    id,
    state,
    was === category ? category : `${category} (was ${was})`,
    visible(queue),
    attempts === null ? "" : String(attempts),
    showAge(Math.max(0, now - Date.parse(failedAt))),
    cutAt(visible([errorClass, errorMessage].filter((part) => part !== null).join(": ")), longestError),
  ]);
  const titles = ["LETTER", "STATE", "CATEGORY", "QUEUE", "ATTEMPTS", "AGE", "ERROR"];
  const right = new Set(["ATTEMPTS", "AGE"]);
  return table(
    titles.map((title) => ({ title, align: right.has(title) ? ("right" as const) : ("left" as const) })),
    rows,
    terminal,
  );
}

function cutAt(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}
