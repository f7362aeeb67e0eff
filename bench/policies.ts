import { childVariant } from "./child-variant.ts";
import type { Ratio, Suite } from "./suite.ts";

const bare = "bare call";
const ours = "guard: retry, breaker, budget";
const rivals = ["cockatiel: retry, breaker", "opossum: breaker"];

/** What a guarded call adds to a bare one, against what others add. */
export function suite(): Suite {
  const file = new URL("./policies-variants.ts", import.meta.url);
  return {
    about: "Processor time of one awaited call of a function that does nothing; each variant in a process of its own.",
    unit: "ns/call",
    rounds: 21,
    variants: [bare, ours, ...rivals].map((name) => childVariant(name, file)),
    ratios: rivals.map(overheadAgainst),
  };
}

function overheadAgainst(rival: string): Ratio {
  return {
    name: `our overhead / overhead of ${rival.split(":")[0]}`,
    value: (median) => (median(ours) - median(bare)) / (median(rival) - median(bare)),
    goal: 0.25,
    is: "at most",
  };
}
