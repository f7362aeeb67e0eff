import { durationInWords } from "../domain/duration.ts";
import { showKeyPlace } from "../domain/key-place.ts";
import { exemptPerDay, type Protocol } from "../domain/protocol.ts";

/** One thing a protocol says. */
export interface Parameter {
  /** As the file calls it, such as `halt.returns`. */
  readonly key: string;
  readonly about: string;
  readonly show: (protocol: Protocol) => string;
}

const duplicateWords: Readonly<Record<Protocol["duplicates"], string>> = {
  once: "once: a person accepts it for the queue",
  ask: "ask: a person accepts it in each plan",
  refuse: "refuse: it does not go",
};

/** All that can be set, in the order of the reference. */
export const parameters: readonly Parameter[] = [
  { key: "bulk", about: "one replay may hold more than one letter", show: ({ allows }) => yesOrNo(allows === "bulk") },
  { key: "rate", about: "how fast they go", show: ({ rate }) => `${count(rate)} a second` },
  { key: "batch", about: "how many may be under way at once", show: ({ batch }) => count(batch) },
  {
    key: "ramp.steps",
    about: "sizes of the first steps",
    show: ({ ramp }) => listed([...ramp.map(count), "the rest"]),
  },
  {
    ...{ key: "ramp.onUnknown", about: "when nobody can say how a step went" },
    show: ({ onUnknown }) => onUnknown,
  },
  { key: "maxReplays", about: "how often a letter may go back", show: ({ maxReplays }) => count(maxReplays) },
  {
    ...{ key: "settle.min", about: "how long outcomes are watched for, at least" },
    show: ({ settleS }) => durationInWords(settleS * 1_000),
  },
  {
    ...{ key: "halt.returns", about: "it stops when more than this share of a step comes back" },
    show: ({ halt }) => percent(halt.returns),
  },
  {
    ...{ key: "halt.lag", about: "it stops when its destination is further behind" },
    show: ({ halt: { lag } }) => (lag === null ? "of no concern" : `${count(lag)} messages`),
  },
  { key: "approvals.n", about: "how many people besides who asks", show: ({ approvals }) => count(approvals.n) },
  {
    ...{ key: "approvals.roles", about: "who may approve" },
    show: ({ approvals }) => listed(approvals.roles, "or"),
  },
  {
    ...{ key: "approvals.expires", about: "how long a plan and its approval are good for" },
    show: ({ approvals }) => durationInWords(approvals.expiresS * 1_000),
  },
  {
    ...{ key: "approvals.exemptUpTo", about: "plans of at most so many ready letters need nobody's yes" },
    show: ({ approvals }) => count(approvals.exemptUpTo),
  },
  {
    ...{ key: "approvals.exemptPerDay", about: "letters of a queue that one person may replay so within 24 hours" },
    show: ({ approvals }) => count(exemptPerDay(approvals)),
  },
  {
    ...{ key: "probe", about: "asked before a letter goes, whether an earlier attempt took effect" },
    show: ({ probe }) => probe?.url ?? "nobody",
  },
  {
    ...{ key: "duplicates", about: "where a duplicate would not be recognized" },
    show: ({ duplicates }) => duplicateWords[duplicates],
  },
  {
    ...{ key: "key", about: "where the idempotency key is, if not where senders usually put it" },
    show: ({ keyAt }) =>
      keyAt === undefined ? "where its source says" : keyAt === null ? "nowhere else" : showKeyPlace(keyAt),
  },
  {
    ...{ key: "effects", about: "where nobody can tell whether an earlier attempt took effect" },
    show: ({ effects }) => (effects === "strict" ? "strict: a person accepts it" : "told: the plan says so"),
  },
  {
    key: "health",
    about: "what must answer well before anything goes",
    show: ({ health }) => listed(health) || "nothing",
  },
  {
    ...{ key: "gates.trust", about: "what opens the gate of a deploy" },
    show: ({ gates }) =>
      gates.trust === "recorded" ? "deploys that were recorded" : "deploys that were recorded or that consumers report",
  },
  {
    key: "auto",
    about: "they may go by themselves once the cause is seen to be gone",
    show: ({ auto }) => yesOrNo(auto),
  },
];

/** `5`, `5 and 50`, `5, 50 and the rest`. */
export function listed(items: readonly string[], last: "and" | "or" = "and"): string {
  const before = items.slice(0, -1).join(", ");
  const end = items.at(-1) ?? "";
  return before === "" ? end : `${before} ${last} ${end}`;
}

export function count(n: number): string {
  return n.toLocaleString("en-US");
}

export function percent(share: number): string {
  return `${count(Number((share * 100).toFixed(1)))} %`;
}

function yesOrNo(value: boolean): string {
  return value ? "yes" : "no";
}
