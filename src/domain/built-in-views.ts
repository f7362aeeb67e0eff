/** A search that everybody comes back to. */
export interface BuiltInView {
  readonly name: string;
  readonly q: string;
}

/** Views that there are without anybody saving one. */
export const builtInViews: readonly BuiltInView[] = [
  { name: "needs-a-decision", q: "state:open,returned" },
  { name: "mine", q: "state:open,returned is:mine" },
  { name: "came-back", q: "state:returned" },
  { name: "older-than-a-day", q: "state:open,returned age:>1d" },
  { name: "expiring-in-24h", q: "state:open,returned expires:<24h" },
  { name: "unknown", q: "state:open,returned category:unknown" },
];
