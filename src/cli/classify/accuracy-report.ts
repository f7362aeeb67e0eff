import { categories } from "../../domain/classification.ts";
import type { Accuracy } from "../../triage/accuracy.ts";
import { table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visible } from "../terminal/text.ts";

/** How well it went, for people: figures, what was called what, and each mistake. */
export function accuracyReport(accuracy: Accuracy, terminal: Terminal): string {
  const { failures, labelled } = accuracy;
  if (failures === 0) return "There are no failures in it.";
  const strangers = strangersAmong(accuracy);
  if (labelled === 0) return ["None of the failures has a label.", ...strangers].join("\n");
  const parts = [...strangers, figures(accuracy, terminal), confusion(accuracy, terminal)];
  if (accuracy.wrong.length > 0) parts.push(mistakes(accuracy, terminal));
  return parts.join("\n\n");
}

/** A misspelt label would otherwise make the figures better than they are. */
function strangersAmong({ unknownLabels }: Accuracy): string[] {
  if (unknownLabels.length === 0) return [];
  const named = unknownLabels.map((label) => `"${visible(label)}"`).join(", ");
  return [`Not counted, since they are no categories: ${named}. Labels are ${categories.join(", ")}.`];
}

function figures({ labelled, right, abstained, dangerous, sideEffects }: Accuracy, terminal: Terminal): string {
  const share = (what: string, count: number, of: number) => [
    what,
    String(count),
    of === 0 ? "" : `${((100 * count) / of).toFixed(1)} %`,
  ];
  const rows = [
    share("labelled", labelled, labelled),
    share("right", right, labelled),
    share("abstained", abstained, labelled),
    share("dangerous", dangerous, labelled),
    share("side effect right", sideEffects.right, sideEffects.labelled),
  ];
  return table(
    [
      { title: "FAILURES", align: "left" },
      { title: "COUNT", align: "right" },
      { title: "SHARE", align: "right" },
    ],
    rows,
    terminal,
  );
}

function confusion({ confusion: cells }: Accuracy, terminal: Terminal): string {
  const count = (label: string, called: string) =>
    cells.find((cell) => cell.label === label && cell.called === called)?.n ?? 0;
  const rows = categories.map((label) => [label, ...categories.map((called) => shown(count(label, called)))]);
  const titles = categories.map((called) => ({ title: called, align: "right" as const }));
  return table([{ title: "IS \\ CALLED", align: "left" }, ...titles], rows, terminal);
}

const shown = (n: number) => (n === 0 ? "." : String(n));

function mistakes({ wrong }: Accuracy, terminal: Terminal): string {
  const titles = ["ID", "IS", "CALLED", "BY", "WHY"].map((title) => ({ title, align: "left" as const }));
  const rows = wrong.map(({ id, label, called, rule, why }) => [id, label, called, rule, why]);
  return table(titles, rows, terminal);
}
