/** What putting a letter back comes to, where it never left its place. */
export type ReturnOutlook =
  /** How often it is run before it is dead again. */
  | { readonly kind: "runs"; readonly runs: number }
  /** It is not dead there any more, or has died again since. */
  | { readonly kind: "moved" }
  | { readonly kind: "refused"; readonly why: string; readonly change: string };
