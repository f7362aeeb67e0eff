import type { Ink } from "./sheet.ts";

/** What colours stand for. No colour says anything that a word beside it does not say, and backgrounds are left alone. */
export const inks = {
  plain: [],
  faint: ["dim"],
  strong: ["bold"],
  good: ["green"],
  waiting: ["yellow"],
  bad: ["red"],
  alarm: ["red", "bold"],
  caution: ["yellow", "bold"],
  relief: ["green", "bold"],
  flow: ["cyan"],
} as const satisfies Readonly<Record<string, Ink>>;
