import type { Terminal } from "./terminal.ts";
import { padRight, shownWidth } from "./text.ts";
import { showNumber } from "./units.ts";

const leftBlocks = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

export interface Bar {
  readonly name: string;
  readonly value: number;
}

const longestBar = 60;

/** One bar a line, its name before it and its value behind it. */
export function bars(title: string, all: readonly Bar[], unit: string, { columns, unicode, paint }: Terminal): string {
  const names = Math.max(...all.map(({ name }) => name.length));
  const values = all.map(({ value }) => `${showNumber(value)} ${unit}`);
  const room = Math.min(longestBar, columns - names - Math.max(...values.map(shownWidth)) - 4);
  const highest = Math.max(...all.map(({ value }) => value), 1);
  const lines = all.map(({ name, value }, index) => {
    const bar = barOf((value / highest) * room, unicode);
    return `${padRight(name, names)}  ${paint("cyan", bar)} ${values[index]}`;
  });
  return [paint("bold", title), ...lines].join("\n");
}

/** What is there at all is shown, however little. */
function barOf(length: number, unicode: boolean): string {
  if (length === 0) return "";
  if (!unicode) return "#".repeat(Math.max(1, Math.round(length)));
  const units = Math.max(1, Math.round(length * 8));
  return "█".repeat(Math.floor(units / 8)) + (leftBlocks[units % 8] ?? "");
}
