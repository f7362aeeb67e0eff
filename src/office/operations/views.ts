import { z } from "zod";
import type { Actor } from "../../domain/actor.ts";
import { builtInViews } from "../../domain/built-in-views.ts";
import { OfficeError } from "../../domain/errors.ts";
import { letterColumns, letterSorts } from "../../domain/letter-columns.ts";
import { parseQuery } from "../../domain/query/parse-query.ts";
import { recordAction } from "../../ledger/audit.ts";
import { listSavedViews, putSavedView, removeSavedView } from "../../ledger/views.ts";
import { type Office, operation } from "./operation.ts";

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "letters, digits, dots, dashes, underscores");
const named = z.object({ name });
const given = named.extend({
  /** What finds its letters. Times that are relative stay so. */
  q: z.string().trim().min(1).max(2_000),
  /** In which order; null: newest first, as lists have it. */
  sort: z.enum(letterSorts).nullable().default(null),
  /** What is shown of each letter; none: what lists show. */
  cols: z.array(z.enum(letterColumns)).max(letterColumns.length).default([]),
});

export const listViews = operation({
  name: "views.list",
  summary: "searches by their names: your own, those of everybody, and those there always are",
  role: "viewer",
  isScoped: true,
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        ...{ name: z.string(), q: z.string() },
        sort: z.enum(letterSorts).nullable(),
        cols: z.array(z.enum(letterColumns)),
        kind: z.enum(["own", "shared", "built-in"]),
        /** Who saved it; null for one that there always is. */
        setBy: z.string().nullable(),
      }),
    ),
    next: z.null(),
  }),
  async run({ ledger }, _input, actor) {
    const saved = (await listSavedViews(ledger, actor.id)).map(({ isShared, sort, cols, ...view }) => ({
      ...view,
      // An older office finds what a newer one saved: what it does not know it leaves out.
      sort: letterSorts.find((each) => each === sort) ?? null,
      cols: letterColumns.filter((column) => cols.includes(column)),
      kind: isShared ? ("shared" as const) : ("own" as const),
    }));
    const usual = { sort: null, cols: [], kind: "built-in", setBy: null } as const;
    const always = builtInViews.map((view) => ({ ...view, ...usual, cols: [] }));
    return { items: [...saved, ...always], next: null };
  },
});

export const saveView = operation({
  name: "views.save",
  summary: "keeps a search by a name, for yourself",
  role: "viewer",
  isScoped: true,
  input: given,
  output: named,
  run: (office, view, actor) => save(office, { ...view, owner: actor.id }, actor),
});

export const shareView = operation({
  name: "views.share",
  summary: "keeps a search by a name, for everybody",
  role: "operator",
  isScoped: true,
  input: given,
  output: named,
  run: (office, view, actor) => save(office, { ...view, owner: null }, actor),
});

export const removeView = operation({
  name: "views.remove",
  summary: "forgets a search of your own",
  role: "viewer",
  isScoped: true,
  input: named,
  output: named,
  run: (office, view, actor) => remove(office, { ...view, owner: actor.id }, actor),
});

export const unshareView = operation({
  name: "views.unshare",
  summary: "forgets a search of everybody",
  role: "operator",
  isScoped: true,
  input: named,
  output: named,
  run: (office, view, actor) => remove(office, { ...view, owner: null }, actor),
});

interface Place {
  readonly name: string;
  /** Null: everybody's. */
  readonly owner: string | null;
}

/** One of everybody is in the audit log: others go by it. One's own search concerns nobody. */
async function save({ ledger, clock }: Office, view: Place & z.output<typeof given>, actor: Actor) {
  if (builtInViews.some((each) => each.name === view.name))
    throw new OfficeError("INVALID_OPTION", `There always is a view ${view.name}. Choose another name.`);
  // Refused now, where it can be mended, and not by whoever opens it.
  parseQuery(view.q);
  await ledger.database.transaction(async (transaction) => {
    await putSavedView(ledger, transaction, { ...view, sort: view.sort ?? "", setBy: actor.id });
    const details = { view: view.name, q: view.q };
    if (view.owner === null)
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "views.shared", details });
  });
  return { name: view.name };
}

async function remove({ ledger, clock }: Office, place: Place, actor: Actor) {
  await ledger.database.transaction(async (transaction) => {
    if (!(await removeSavedView(ledger, transaction, place)))
      throw new OfficeError("VIEW_NOT_FOUND", `There is no such view ${place.name}. \`dlo views list\` shows them.`);
    const details = { view: place.name };
    if (place.owner === null)
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "views.unshared", details });
  });
  return { name: place.name };
}
