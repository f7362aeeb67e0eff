import type { Breaker } from "../runtime/breaker.ts";
import type { Checkout } from "./checkout.ts";
import type { Chronicle } from "./chronicle.ts";
import type { Payments } from "./payments.ts";

/** What an act may touch and look at. The runtime is not among it: what that does is its own decision. */
export interface Stage {
  readonly checkout: Checkout;
  readonly payments: Payments;
  readonly chronicle: Chronicle;
  readonly breaker: Pick<Breaker, "phase" | "snapshot">;
  /** Messages in the queue, wherever they are on their way. */
  depth(): number;
}

/** One act: what is done to the world, what is said about it, and how to tell that it has happened. */
export interface Act {
  readonly title: string;
  /** What there is to see, in two lines of a narrow terminal. */
  readonly caption: string;
  readonly cues: readonly Cue[];
  /** It lasts at least so long, so that it can be read, in milliseconds; */
  readonly leastMs: number;
  /** and until this has come true. */
  happened(stage: Stage): boolean;
}

/** Something done to the world, so long after the act began, in milliseconds. */
export interface Cue {
  readonly afterMs: number;
  perform(stage: Stage): void;
}

const atOnce = (perform: Cue["perform"]): Cue => ({ afterMs: 0, perform });

/** A probe that fails opens the breaker a second time. */
const openings = 2;

export const acts: readonly Act[] = [
  {
    title: "All is well",
    caption:
      "Checkout puts orders into a queue. Handlers take them and charge the customer at payments. " +
      "A handler that returns has acknowledged its order.",
    cues: [atOnce(({ checkout }) => checkout.open())],
    leastMs: 8_000,
    happened: ({ payments }) => payments.books.size >= 10,
  },
  {
    title: "Payments begins to fail",
    caption:
      "Every third call times out. A failed order waits and is tried again: each time later, and with jitter, " +
      "so that they do not all come back at once.",
    cues: [atOnce(({ payments }) => payments.become("shaky"))],
    leastMs: 11_000,
    happened: ({ chronicle }) => chronicle.retries >= 5 && chronicle.recovered >= 3,
  },
  {
    title: "The breaker opens",
    caption:
      "Payments is down. As half of the calls fail the breaker opens and the consumer pauses: orders stay in " +
      "the queue instead of burning their attempts.",
    cues: [atOnce(({ payments }) => payments.become("down"))],
    leastMs: 8_000,
    happened: ({ breaker }) => breaker.snapshot().counters.opened >= openings,
  },
  {
    title: "Back to work, carefully",
    caption:
      "Payments is well again, but nobody knows. Single orders go ahead as probes; after three that succeed " +
      "the breaker closes and the backlog drains.",
    cues: [atOnce(({ payments }) => payments.become("well"))],
    leastMs: 9_000,
    happened: ({ breaker, depth }) => breaker.phase === "closed" && depth() < 12,
  },
  {
    title: "One message is poison",
    caption:
      "One order trips over a bug in the handler, the same way each time. After three equal failures it is " +
      "quarantined, alone; the others do not notice.",
    cues: [{ afterMs: 1_500, perform: ({ checkout }) => void checkout.place({ parcels: 1.5 }) }],
    leastMs: 9_000,
    happened: ({ chronicle }) => chronicle.quarantined.length > 0,
  },
  {
    title: "Failures that no retry can help",
    caption:
      "One order has no price, another an expired card. Trying again changes nothing: both go to the " +
      "dead-letter queue at once, the reason written on them.",
    cues: [
      { afterMs: 1_500, perform: ({ checkout }) => void checkout.place({ cents: undefined }) },
      { afterMs: 4_000, perform: ({ checkout }) => void checkout.place({ card: "expired" }) },
    ],
    leastMs: 8_500,
    happened: ({ chronicle: { dead } }) =>
      ["schema_mismatch", "unprocessable"].every((reason) => dead.some((letter) => letter.reason === reason)),
  },
  {
    title: "The same order twice",
    caption:
      "Checkout sends some orders twice, as a client does that saw no answer. The inbox remembers what was " +
      "done: acknowledged, but not charged again.",
    cues: [1_500, 2_500, 3_500, 4_500, 5_500].map((afterMs) => ({ afterMs, perform: sendAgain })),
    leastMs: 8_500,
    happened: ({ chronicle }) => chronicle.duplicates >= 5,
  },
  {
    title: "Everything is accounted for",
    caption:
      "Checkout closes and the queue runs empty. Then every message sent is looked for: in payments' books, " +
      "in the dead-letter queue, in quarantine.",
    cues: [atOnce(({ checkout }) => checkout.close())],
    leastMs: 4_000,
    happened: ({ depth }) => depth() === 0,
  },
];

/** One that was charged a while ago. */
function sendAgain({ checkout, payments }: Stage): void {
  const charged = [...payments.books.keys()];
  const order = charged.at(-12);
  if (order !== undefined) checkout.placeAgain(order);
}
