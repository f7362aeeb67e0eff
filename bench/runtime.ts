import { childVariant } from "./child-variant.ts";
import type { Suite } from "./suite.ts";

const bare = "transport alone";
const whole = "runtime, bytes";
const decoding = "runtime, JSON";
const observed = "runtime, JSON, observed";

/** What the runtime adds to a message that a transport hands over anyway. */
export function suite(): Suite {
  const file = new URL("./runtime-variants.ts", import.meta.url);
  return {
    about:
      "Processor time of a message in process: taken, handled by a function that does nothing, acknowledged.\n" +
      "The runtime has breaker, budget, poison, limits and leases on; no schema, no inbox.",
    unit: "µs/message",
    rounds: 15,
    variants: [bare, whole, decoding, observed].map((name) => childVariant(name, file)),
    ratios: [
      {
        name: "µs that the runtime adds",
        value: (median) => median(whole) - median(bare),
        goal: 2.5,
        is: "at most",
      },
      {
        name: "µs that the runtime adds, JSON decoded",
        value: (median) => median(decoding) - median(bare),
        goal: 2.5,
        is: "at most",
      },
    ],
  };
}
