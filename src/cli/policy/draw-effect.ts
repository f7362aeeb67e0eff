import { showCount } from "../../domain/show-count.ts";
import { table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";

/** What a policy would do, as previews of files and of the ledger have it in common. */
export interface DrawnEffect {
  readonly letters: number;
  readonly moves: readonly Move[];
  readonly replay?: readonly { readonly from: Standing; readonly to: Standing; readonly n: number }[];
  readonly rules: readonly { readonly id: string; readonly n: number }[];
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly n: number;
  readonly groups: readonly { readonly group: string; readonly title?: string; readonly n: number }[];
  readonly examples: readonly string[];
}

type Standing = "bulk" | "single" | "never" | "denied";

/** As the end of "could be replayed …". */
const standings: Readonly<Record<Standing, string>> = {
  bulk: "in bulk",
  single: "one by one",
  never: "never",
  denied: "denied by an override",
};

const shownGroups = 10;

/** Sentences first, then what each rule decides. */
export function drawEffect({ letters, moves, replay = [], rules }: DrawnEffect, terminal: Terminal): string {
  const moved = moves.flatMap(drawMove);
  const standing = replay.map(
    ({ from, to, n }) => `${showCount(n, "letter")} would go back otherwise: ${standings[from]} → ${standings[to]}`,
  );
  const all = [...moved, ...standing];
  const head = [`${showCount(letters, "letter")} looked at`, ...(all.length === 0 ? ["Nothing would change."] : all)];
  if (rules.length === 0) return head.join("\n");
  const rows = rules.map(({ id, n }) => [id, showNumber(n)]);
  const titles = [
    { title: "RULE", align: "left" as const },
    { title: "DECIDES", align: "right" as const },
  ];
  return `${head.join("\n")}\n\n${table(titles, rows, terminal)}`;
}

function drawMove({ from, to, n, groups, examples }: Move): string[] {
  const sentence = `would move ${showCount(n, "letter")} from ${from} to ${to}`;
  if (groups.length === 0) return [`${sentence} (${examples.join(", ")})`];
  const listed = groups
    .slice(0, shownGroups)
    .map((each) => `  ${each.group}  ${showNumber(each.n)}  ${visible(each.title ?? "").slice(0, 80)}`.trimEnd());
  const more = groups.length - listed.length;
  return [sentence, ...listed, ...(more === 0 ? [] : [`  and ${showCount(more, "more group", "more groups")}`])];
}
