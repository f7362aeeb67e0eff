import type { Value } from "./query.ts";

/** A value as it was written, without its quotes. */
export function valueText(value: Value): string {
  return value.kind === "range" ? `${value.from}..${value.to}` : value.text;
}

/** Whether `*` in it stands for anything: not within quotes. */
export function isPattern(value: Value): boolean {
  return value.kind === "word" && value.text.includes("*");
}
