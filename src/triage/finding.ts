import type { Category } from "../domain/classification.ts";

/** Where a finding comes from. Findings of several sources strengthen each other, those of one source do not. */
export type Source = "own word" | "code" | "class" | "message" | "cause" | "status" | "stack" | "payload" | "history";

/** What one piece of evidence says. */
export interface Finding {
  readonly source: Source;
  readonly category: Category;
  /** 0 to 1. */
  readonly weight: number;
  readonly rule: string;
  /** A sentence; made only for what decides. */
  readonly why: () => string;
  /** Whether it leaves open if an earlier attempt took effect. */
  readonly effect: "none" | "if writing" | "always";
  /** It hides a cause rather than naming one: it counts only where nothing better is found. */
  readonly yields?: boolean;
}
