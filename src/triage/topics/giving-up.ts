/**
 * How brokers, libraries and teams say that they tried often enough, or waited long enough. Such words never name a cause,
 * though "exceeded", "limit" and "rejected" read like a rule of the business elsewhere.
 *
 * Words have roles, each a letter; a word without one is `x`. What stands between clauses is `|`.
 */
export const wordRoles: Readonly<Record<string, string>> = {
  // Trying again: nobody speaks of it but to say how often.
  R: `retry retries retrying redelivery redeliveries redeliver requeue requeues reconsume reprocess reprocessing backout
    receives deliveries`,
  // What a message goes through, which is counted only beside one of the words below; and what is only attempted.
  D: "delivery deliver receive redrive poison",
  W: "processing execution handling consumption consume dispatch handler run publish send invocation job task message",
  A: "attempt attempts tries",
  // How much there is of it, and how much there may be.
  N: "count counts number budget policy quota total",
  L: "limit limits threshold max maximum",
  // That it came to its end.
  E: `exceed exceeds exceeded exceeding reached reaches exhaust exhausted exhausts exhaustion hit surpassed spent depleted
    out left remaining attained`,
  // Having done it.
  V: "tried retried attempted delivered redelivered received requeued nacked processed failed",
  T: "times",
  O: "too",
  M: "many",
  F: "often",
  P: "after",
  G: "gave given giving",
  U: "up",
  K: "dead",
  J: "letter letters lettered lettering",
  // A time that a queue or a delivery was given.
  Y: "ttl age",
  Z: "time live",
  X: "expired",
  // What it is said of.
  m: "messages event events record records jobs tasks offset item entry",
  c: "client consumer",
  // What was done with it: by whom, perhaps, and never why.
  H: `rejected refused discarded dropped cancelled canceled blocked closed ended parked removed moved sent terminated`,
  // Words that may stand between the others without being about anything else.
  f: `of the a an its their for all any no more configured permitted defined specified allowed queue topic subscription
    was were is are be been has have had will value this that it by at to in on with seconds and than`,
  // "per request" is no count of deliveries.
  p: "per",
  // Where another clause begins.
  "|": "because caused cause due since error",
};

/** What may stand between the words of one statement. */
const w = "[fmcdDWANLR]";
/** Attempts that are counted. */
const counted = "(?:R(?!p)|D[NALR]|WA)";

/** What says that somebody gave up, as roles of words that follow each other; `d` is a number, or a name in quotes. */
export const givingUpShapes: readonly string[] = [
  // max 5 retries exceeded · maximum number of delivery attempts (5)
  `L${w}{0,8}${counted}${w}*(?:E${w}*)?`,
  // delivery count exceeded the threshold · no more retries left
  `${counted}${w}{0,8}E${w}*`,
  // retry limit · poison message threshold exceeded
  `[RD][NARW]*L(?:E${w}*)?`,
  // exceeded the maximum redelivery count · out of retries
  `E${w}{0,8}${counted}${w}*`,
  // too many redeliveries · received too many times · failed 10 times
  `OMf*${counted}[NA]*`,
  "V(?:OMT|OF|dT)",
  // max attempts reached · attempts exhausted, but not: login attempts exceeded
  `L[fNd]{0,4}A${w}*(?:E${w}*)?`,
  `(?<!x)A[fd]{0,3}E${w}*`,
  // after 10 delivery attempts · exhausted after delivery attempt
  "Pf{0,2}d[DRW]*[ANRT]",
  `EP${counted}d?`,
  // gave up
  "GU",
  // consumer reached max deliver
  "Ef*LD(?!x)",
  // moved to dead-letter queue · dead lettered
  "(?:Hf{0,3})?KJf?",
  // offset rejected by client
  "[mW]?f{0,3}Hf{1,2}c",
  // message expired · TTL expired · time to live exceeded · maximum event age · event age exceeded
  "[mW][YfZ]{0,5}X",
  "(?:Y|ZfZ)f{0,2}[XE]",
  "(?:L[mW]Y|[mW]Yf{0,2}[XE])[fd]*",
];

/** What was done with a message, in the same breath: it is left out where somebody gave up. */
export const handlingShapes: readonly string[] = ["[mW]f{0,3}[HV]", "(?<![^|])H(?=$|[|P])"];

/** No text without one of these says so: what most texts are spared. */
export const givingUpHints =
  /retr|deliver|attempt|tries|tried|times|often|receive|requeue|consum|backout|poison|redrive|g[ai]v(?:e|ing|en) ?_?up|dead|rejected by|expired|[aA]ge\b|Age|ttl/i;
