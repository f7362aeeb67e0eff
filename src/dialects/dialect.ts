import type { LetterReading, ReplayRoute } from "../domain/dead-letter.ts";
import type { LetterView } from "./letter-view.ts";

/** One library's or broker's way of writing down why it gave a message up. */
export interface Dialect {
  /** As `LetterReading.dialects` names it. */
  readonly id: string;
  /** What the letter says in this dialect; null when it does not speak it. Never throws. */
  readonly read: (view: LetterView) => Facts | null;
}

type RoutedReading = Omit<LetterReading, "dialects" | "replay" | "earlierErrors"> & ReplayRoute;

/** What one dialect knows. What it leaves out, another on the same letter may know. */
export type Facts = { readonly [Fact in keyof RoutedReading]?: RoutedReading[Fact] | undefined };
