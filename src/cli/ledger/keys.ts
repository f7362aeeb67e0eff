import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { switchFlag, textFlag } from "../flags.ts";
import { columnsOf, table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { type AtWork, ledgerFlags, withOffice } from "./ledger-flags.ts";
import { limitFlag, upTo } from "./limit-flag.ts";

const letter = "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";

export const keysListCommand = command({
  name: "keys list",
  summary: "keys that wait, longest first, with what waits behind each",
  examples: [{ line: "dlo keys list rabbit-eu/accounts", about: "when messages of an ordered queue stand still" }],
  details: [
    'With `order: "key"`, a dead message blocks its key: later ones are parked until it is replayed or its place is released. ' +
      "STATE is what the first message of the key is at: `dead`, `waiting` for a retry, `parked` or `released` back into its queue; `gone` if the store has no such place any more. " +
      "Where the server can't ask the consumers' store, it shows what it knows of its letters, with a `?`.",
  ],
  operand: { placeholder: "SOURCE/QUEUE", about: "one queue, or all of a source", required: false },
  flags: {
    ...ledgerFlags,
    limit: limitFlag("how many keys at most"),
    after: textFlag({ placeholder: "NEXT", about: "the page after the one that gave this" }),
  },

  async run({ operand, limit, after, json, ...values }, context) {
    const [name = "", ...rest] = (operand ?? "").split("/");
    const of = { source: name || null, queue: rest.join("/") || null };
    return withOffice(values, context, async (work) => {
      const found = await listed(work, of, { limit, after });
      told(found, json, context, after === "" ? "No key waits." : "No more keys wait.");
      if (found.next !== null && !json) context.note(`More: --after ${found.next}, or --limit all`);
      return exit.done;
    });
  },
});

interface KeysOf {
  readonly source: string | null;
  readonly queue: string | null;
}

async function listed(
  { ask }: AtWork,
  of: KeysOf,
  { limit, after }: { readonly limit: number; readonly after: string },
): Promise<OutputOf<"keys.list">> {
  const unchecked = new Map<string, Keys["unchecked"][number]>();
  const pages = { pageSize: 200, from: after === "" ? null : after };
  const { items, next } = await upTo(limit, pages, async (size, place) => {
    const page = await ask("keys.list", { ...of, limit: size, after: place });
    // What an earlier page says of a source is why; later ones only know that it was so.
    for (const each of page.unchecked) if (!unchecked.has(each.source)) unchecked.set(each.source, each);
    return page;
  });
  return { items: [...items], unchecked: [...unchecked.values()], next };
}

const operand = {
  placeholder: "LETTER|PLACE",
  about: "the letter, or its place as `dlo keys list` has it: SOURCE/QUEUE/NUMBER",
  required: true,
} as const;

export const keysShowCommand = command({
  name: "keys show",
  summary: "what waits behind a letter or place",
  examples: [{ line: `dlo keys show ${letter}`, about: "before you drop or replay a letter of an ordered queue" }],
  operand,
  flags: ledgerFlags,

  async run({ operand: named, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) =>
      told(await ask("keys.get", { place: named ?? "" }), json, context, "No key waits for it."),
    );
  },
});

export const keysReleaseCommand = command({
  name: "keys release",
  summary: "let a key go on without its dead letter",
  examples: [
    {
      line: `dlo keys release ${letter} --reason 'account closed'`,
      about: "when the letter stays to be looked at, and the rest can't wait",
    },
    {
      line: "dlo keys release rabbit-eu/accounts/42 --reason 'account closed'",
      about: "when no letter is known to have that place",
    },
  ],
  details: [
    "The letter stays as it is. Replayed after that, it runs behind the other messages of its key. Dropping or compensating a letter " +
      "releases its place automatically, and so does retention. Repeated, a release changes nothing: it names one place, and frees no other.",
    "Where the server doesn't know the store of blocked keys (`keys:` of the source), it sends the consumers a message. They read it " +
      "within minutes. Where that fails too, release it in the consumer's process and say so with --elsewhere.",
  ],
  operand,
  flags: {
    ...ledgerFlags,
    reason: textFlag({ placeholder: "TEXT", about: "why, kept in the audit log" }),
    elsewhere: switchFlag("it was released in the consumer's own process: nothing is to be done any more"),
  },

  async run({ operand: named, reason, elsewhere, json, ...values }, context) {
    if (reason === "") throw new UsageError("missing_value", "Say why: --reason 'account closed'.");
    return withOffice(values, context, async ({ ask }) => {
      const found = await ask("keys.release", { place: named ?? "", reason, elsewhere });
      told(found, json, context, "");
      return found.items.some(({ release }) => release?.state === "pending") ? exit.failed : exit.done;
    });
  },
});

type Keys = OutputOf<"keys.get">;

function told(found: Keys, json: boolean, context: Context, nothing: string): number {
  const { items, unchecked } = found;
  if (json) context.print(JSON.stringify(found));
  else if (items.length > 0) context.print(table(columns, keyRows(found, context), context.terminal));
  else if (nothing !== "") context.note(nothing);
  for (const { source, why } of unchecked) context.note(`${visible(source)} was not checked: ${visible(why)}`);
  const [first] = items;
  if (!json && first?.state === "dead" && first.release === null)
    context.note(
      first.letter === null
        ? `Next: dlo keys release ${first.place} --reason '…'`
        : `Next: dlo replay plan --id ${first.letter.id}, or dlo keys release ${first.letter.id} --reason '…'`,
    );
  return exit.done;
}

const columns = columnsOf(["STATE", "KEY", "PLACE", "BEHIND", "SINCE", "LETTER", "RELEASE"], ["BEHIND", "SINCE"]);

/** What a store that answered does not have is gone. Only what no one could ask about is unknown. */
export function keyRows({ items, unchecked }: Pick<Keys, "items" | "unchecked">, context: Pick<Context, "when">) {
  const silent = new Set(unchecked.map(({ source }) => source));
  return items.map((item) => rowOf(item, silent.has(item.source), context));
}

function rowOf(
  { state, key, place, behind, since, letter: its, release }: Keys["items"][number],
  isUnknown: boolean,
  { when }: Pick<Context, "when">,
) {
  return [
    ...[
      state ?? (isUnknown ? "?" : "gone"),
      visible(key),
      visible(place),
      behind === null ? (isUnknown ? "?" : "") : String(behind),
      since === null ? "" : when(since),
    ],
    ...[its === null ? "" : `${its.id} (${its.state})`, release === null ? "" : releaseWords(release)],
  ];
}

function releaseWords({ state, because, trouble }: NonNullable<Keys["items"][number]["release"]>): string {
  const words = {
    ...{ pending: "to be released", released: "released", gone: "its store has no such place" },
    ...{ sent: "asked its consumer", alive: "was not dead", elsewhere: "released elsewhere" },
  }[state];
  const why = because === "person" ? "" : ` (${because})`;
  return `${words}${why}${trouble === null ? "" : `: ${visible(trouble)}`}`;
}
