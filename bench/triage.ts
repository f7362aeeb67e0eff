import { childVariant } from "./child-variant.ts";
import type { Suite } from "./suite.ts";

/** How many letters one core sorts in a second. */
export function suite(): Suite {
  const file = new URL("./triage-variants.ts", import.meta.url);
  return {
    about: "Letters a second of processor time, input parsed, built-in rules, messages never seen twice.",
    unit: "thousand letters/s",
    rounds: 15,
    variants: ["classify", "fingerprint", "both"].map((name) => childVariant(name, file)),
    ratios: [
      {
        name: "letters classified a second / 100,000",
        value: (median) => median("classify") / 100,
        goal: 1,
        is: "at least",
      },
    ],
  };
}
