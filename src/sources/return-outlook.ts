/** What putting a letter back comes to, where it never left its place. */
export type ReturnOutlook =
  /** How often it is run before it is dead again; null: once, or more often where whoever runs it retries. */
  | { readonly kind: "runs"; readonly runs: number | null }
  /** It is not dead there any more, or has died again since. */
  | { readonly kind: "moved" }
  | { readonly kind: "refused"; readonly why: string; readonly change: string };
