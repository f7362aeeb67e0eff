import { OfficeError } from "../../domain/errors.ts";
import { letterColumns, letterSorts } from "../../domain/letter-columns.ts";
import { nearestName } from "../../domain/options.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { choiceFlag, choicesFlag, optional, queryFlag, switchFlag } from "../flags.ts";
import { type AtWork, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";

const operand = { placeholder: "NAME", about: "the view's name", required: true } as const;
const shared = switchFlag("for everybody, not for yourself alone");

export const viewsListCommand = command({
  name: "views list",
  summary: "searches by their names: your own, those of everybody, and those there always are",
  examples: [{ line: "dlo views list", about: "`dlo letters list --view NAME` opens one" }],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const found = await viewsOf(work);
      const rows = found.items.map(({ name, kind, q, setBy }) => [name, kind, visible(setBy ?? ""), visible(q)]);
      context.print(json ? JSON.stringify(found) : table(columns, rows, context.terminal));
      return exit.done;
    });
  },
});

const columns = ["VIEW", "KIND", "BY", "SEARCH"].map((title) => ({ title, align: "left" as const }));

export const viewsSaveCommand = command({
  name: "views save",
  summary: "keeps a search by a name",
  examples: [
    { line: "dlo views save big-orders -q 'queue:orders size:>64kb'", about: "yours" },
    { line: "dlo views save big-orders -q 'queue:orders size:>64kb' --shared", about: "everybody's" },
  ],
  operand,
  flags: {
    ...ledgerFlags,
    query: queryFlag("which letters"),
    sort: optional(choiceFlag({ about: "in which order", of: letterSorts, default: "-arrived" }), "newest first"),
    cols: choicesFlag({ about: "what the web UI shows of each letter", of: letterColumns }),
    shared,
  },

  async run({ operand: name, query: q, sort, cols, shared: isShared, json, ...values }, context) {
    if (q === "") throw new UsageError("missing_value", "`--query` is missing: which letters does it find?");
    return withOffice(values, context, async ({ ask }) => {
      const saved = await ask(isShared ? "views.share" : "views.save", { name: name ?? "", q, sort, cols: [...cols] });
      context.print(json ? JSON.stringify(saved) : `${saved.name} is ${isShared ? "everybody's" : "yours"}.`);
      return exit.done;
    });
  },
});

export const viewsRemoveCommand = command({
  name: "views remove",
  summary: "forgets a search by its name",
  examples: [{ line: "dlo views remove big-orders --shared", about: "everybody's" }],
  operand: { ...operand, placeholder: "VIEW" },
  flags: { ...ledgerFlags, shared },

  async run({ operand: name, shared: isShared, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const removed = await ask(isShared ? "views.unshare" : "views.remove", { name: name ?? "" });
      context.print(json ? JSON.stringify(removed) : `${removed.name} is forgotten.`);
      return exit.done;
    });
  },
});

const viewsOf = ({ ask }: AtWork) => ask("views.list", {});

export interface InView {
  readonly q: string;
  /** As the view has it; null where it says nothing, or none is named. */
  readonly sort: (typeof letterSorts)[number] | null;
}

/** What a view finds, and of that what a search finds; only the search where no view is named. */
export async function queryInView(work: AtWork, view: string, q: string): Promise<InView> {
  if (view === "") return { q, sort: null };
  const { items } = await viewsOf(work);
  const found = items.find(({ name }) => name === view);
  if (found !== undefined) return { q: q.trim() === "" ? found.q : `(${found.q}) (${q})`, sort: found.sort };
  const nearest = nearestName(
    view,
    items.map(({ name }) => name),
  );
  const hint = nearest === undefined ? "`dlo views list` shows them." : `Did you mean \`${nearest}\`?`;
  throw new OfficeError("VIEW_NOT_FOUND", `There is no view ${view}. ${hint}`);
}
