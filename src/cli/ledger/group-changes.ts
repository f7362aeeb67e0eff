import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import type { Context } from "../command.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { numberFlag, switchFlag, textFlag } from "../flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { type AtWork, ledgerFlags, withOffice } from "./ledger-flags.ts";
import { rateLine } from "./rate-line.ts";

const [group, other] = ["grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", "grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0J"];
const operand = { placeholder: "GROUP", about: "the group's id: grp_…", required: true };
const reason = textFlag({ placeholder: "TEXT", about: "why, for whoever looks later" });
const dryRun = switchFlag("only say how many letters would move");

export const groupsMergeCommand = command({
  name: "groups merge",
  summary: "lets the letters of a group belong to another one, those that come later too",
  examples: [
    { line: `dlo groups merge ${group} --into ${other} --dry-run`, about: "first: how many letters" },
    { line: `dlo groups merge ${group} --into ${other} --reason 'one bug'`, about: "then: they are one group" },
  ],
  details: [
    "Both must be of one queue. The first group's id stays a name of the second: searches and links go on working. Each change is " +
      "a version, audited and kept; `dlo groups undo` takes it back. Killed on the way, it goes on with the next such command, or by " +
      "itself in `dlo up`.",
  ],
  operand,
  flags: {
    ...ledgerFlags,
    into: textFlag({ placeholder: "GROUP", about: "the group they belong to from now on" }),
    reason,
    "dry-run": dryRun,
  },

  async run({ operand: id, into, reason: why, "dry-run": isDry, json, ...values }, context) {
    if (into === "")
      throw new UsageError("missing_value", "`--into` is missing: which group do its letters belong to?");
    return withOffice(values, context, async (work) => {
      if (isDry) return preview(work, context, { json, input: { id: id ?? "", into } });
      const change = await work.ask("groups.merge", { id: id ?? "", into, reason: why || null });
      return follow(work, context, { change, json, said: `${change.group} is part of ${change.into} now` });
    });
  },
});

export const groupsSplitCommand = command({
  name: "groups split",
  summary: "makes a group of the letters of a group that fit a condition, those that come later too",
  examples: [
    { line: `dlo groups split ${group} --when 'letter.tenant == "acme"' --dry-run`, about: "first: how many letters" },
    {
      line: `dlo groups split ${group} --when 'error.http == 429' --title 'Rate limits'`,
      about: "then: they have their own",
    },
  ],
  details: [
    "Conditions are written in CEL, with the names that rules of a policy know (`dlo help policy`): what a letter was when it " +
      "came, or when it came back last. A change holds for what was in the group when it was made: letters merged into it later are " +
      "not split by it.",
  ],
  operand,
  flags: {
    ...ledgerFlags,
    when: textFlag({ placeholder: "CEL", about: "which letters go" }),
    title: textFlag({
      placeholder: "TEXT",
      about: "what the new group is called; else as the old one, with the condition",
    }),
    reason,
    "dry-run": dryRun,
  },

  async run({ operand: id, when, title, reason: why, "dry-run": isDry, json, ...values }, context) {
    if (when === "") throw new UsageError("missing_value", "`--when` is missing: which of its letters go?");
    return withOffice(values, context, async (work) => {
      if (isDry) return preview(work, context, { json, input: { id: id ?? "", when } });
      const input = { id: id ?? "", when, title: title || null, reason: why || null };
      const change = await work.ask("groups.split", input);
      return follow(work, context, { change, json, said: `${change.into} is split from ${change.group}` });
    });
  },
});

export const groupsUndoCommand = command({
  name: "groups undo",
  summary: "takes a merge or a split back: letters go to where they were without it",
  examples: [{ line: "dlo groups undo 3 --reason 'two bugs after all'", about: "version 3 of `dlo groups history`" }],
  operand: { placeholder: "VERSION", about: "a version's number", required: true },
  flags: { ...ledgerFlags, reason },

  async run({ operand: given, reason: why, json, ...values }, context) {
    const version = Number(given);
    if (!(Number.isInteger(version) && version > 0)) {
      const hint = "`dlo groups history` lists them.";
      throw new UsageError("unexpected_value", `\`${given}\` is not a version's number.`, hint);
    }
    return withOffice(values, context, async (work) => {
      const change = await work.ask("groups.undo", { version, reason: why || null });
      return follow(work, context, { change, json, said: `Version ${version} holds no more` });
    });
  },
});

export const groupsHistoryCommand = command({
  name: "groups history",
  summary: "what was merged, split and taken back, newest first",
  examples: [
    { line: "dlo groups history", about: "all of it" },
    { line: `dlo groups history ${group}`, about: "what one group was part of" },
  ],
  operand: { ...operand, required: false },
  flags: {
    ...ledgerFlags,
    limit: numberFlag({ about: "how many at most", default: 50, min: 1, max: 200, integer: true }),
  },

  async run({ operand: id, limit, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const history = await ask("groups.history", { group: id, limit });
      const titles = ["VERSION", "WHAT", "GROUP", "INTO", "WHEN", "AT", "BY", "REASON"];
      const rows = history.items.map(
        ({ version, kind, group: from, into, when, undoes, at, by, reason: why, inForce }) => {
          const what = kind === "undo" ? `undo ${undoes}` : inForce ? kind : `${kind}, undone`;
          return [String(version), what, from, into, visible(when ?? ""), at, visible(by), visible(why ?? "")];
        },
      );
      const columns = titles.map((title) => ({ title, align: "left" as const, optional: optional.has(title) }));
      if (json) context.print(JSON.stringify(history));
      else if (rows.length > 0) context.print(table(columns, rows, context.terminal));
      if (rows.length === 0) context.note("No group was merged or split.");
      if (history.isMoving)
        context.note("Letters that came before are still on their way to where the last change wants them.");
      return exit.done;
    });
  },
});

/** What a narrow screen can do without. */
const optional: ReadonlySet<string> = new Set(["WHEN", "AT", "BY", "REASON"]);

async function preview(
  { ask }: AtWork,
  context: Context,
  { input, json }: { readonly input: PreviewInput; readonly json: boolean },
): Promise<number> {
  const effect = await ask("groups.preview", input);
  const { looked, letters, moving, group: from, examples } = effect;
  const of = looked === letters ? "" : `, of the newest ${showNumber(looked)} that were looked at`;
  if (json) context.print(JSON.stringify(effect));
  else {
    context.print(
      `${showNumber(moving)} of ${showCount(letters, "letter")} of ${from} would move${of}. Nothing was changed.`,
    );
    if (examples.length > 0) context.print(`Such as ${examples.join(", ")}.`);
  }
  return exit.done;
}

interface PreviewInput {
  readonly id: string;
  readonly into?: string;
  readonly when?: string;
}

interface Followed {
  readonly change: OutputOf<"groups.merge">;
  readonly said: string;
  readonly json: boolean;
}

/** Moves the letters that are here already; a server does so by itself. */
async function follow({ here }: AtWork, context: Context, { change, said, json }: Followed): Promise<number> {
  const { signal } = context;
  const onProgress = rateLine(context, "letters moved");
  const { moved, isComplete } =
    here === null ? { moved: 0, isComplete: false } : await here.regroup({ actor: here.actor, signal, onProgress });
  if (json) context.print(JSON.stringify({ ...change, moved, isComplete }));
  else context.print(`${said} (version ${change.version}). ${showCount(moved, "letter")} moved.`);
  if (!isComplete)
    context.note("Others are writing just now; what they place meanwhile follows by itself in `dlo up`.");
  return signal.aborted ? exit.interrupted : exit.done;
}
