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
  W: "processing execution handling consumption consume dispatch handler run publish send invocation task",
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
  m: "event events tasks item entry",
  S: "message messages offset",
  j: "job jobs record records",
  c: "client consumer",
  // What was done with it: by whom, perhaps, and never why.
  H: `rejected refused discarded dropped cancelled canceled blocked closed ended parked removed moved sent terminated`,
  // Words that may stand between the others without being about anything else.
  f: `of the a an its their all any no more configured permitted defined specified allowed queue topic subscription value
    this that it seconds than`,
  // The same, but what follows is not what the verb before them is about: "deadline exceeded on retry 3".
  o: "was were is are be been has have had will by at to in on with for and",
  // "per request" is no count of deliveries.
  p: "per",
  // Where another clause begins.
  "|": "because caused cause due since error",
};

/** Words that may stand between the others. */
const f = "[fo]";
/** What is sent, or what is done with it. */
const sent = "[mSjW]";
/** What may stand between the words of one statement. */
const w = "[fomSjcdDWANLR]";
/** The same, as far as a verb is about it. */
const about = "[fmSjcdDWANLR]";
/** Attempts that are counted. */
const counted = "(?:R(?!p)|D[NALR]|WA|[Sj]A)";
/** Where something else came to its end before: a deadline, a quota, the limit of an account. That names the cause. */
const ofAnother = "[xN][^|]*";

/** What says that somebody gave up, as roles of words that follow each other; `d` is a number, or a name in quotes. */
export const givingUpShapes: readonly string[] = [
  // max 5 retries exceeded · maximum number of delivery attempts (5)
  `L${about}{0,8}${counted}${w}*(?:E${w}*)?`,
  // limit for retries, but not: size exceeds limit on retry
  `(?<!E${f}*|${ofAnother})L${w}{0,8}${counted}${w}*(?:E${w}*)?`,
  // delivery count exceeded the threshold · no more retries left
  `${counted}${w}{0,8}E${w}*`,
  // retry limit · poison message threshold exceeded
  `[RD][NARWSj]*L(?:E${w}*)?`,
  // exceeded the maximum redelivery count · out of retries, but not: deadline exceeded on retry
  `(?<!${ofAnother})E${w}{0,8}${counted}${w}*`,
  // order 7 exceeded its retry limit · order 7 exhausted all retries
  `E(?:f|(?=[fDWSjANR]{0,6}L))${about}{0,8}${counted}${w}*`,
  // too many redeliveries · received too many times · failed 10 times
  `OM${f}*${counted}[NA]*`,
  "V(?:OMT|OF|dT)",
  // max attempts reached · attempts exhausted, but not: login attempts exceeded
  `L[foNd]{0,4}A${w}*(?:E${w}*)?`,
  `(?<!x)A[fod]{0,3}E${w}*`,
  // after 10 delivery attempts · exhausted after delivery attempt
  `P${f}{0,2}d[DRWSj]*[ANRT]`,
  `(?<!${ofAnother})EP${counted}d?`,
  // gave up
  "GU",
  // consumer reached max deliver
  `E${f}*LD(?!x)`,
  // moved to dead-letter queue · dead lettered
  `(?:H${f}{0,3})?KJ${f}?`,
  // offset rejected by client, but not: payment rejected by client
  `S[fod]{0,3}H${f}{1,2}c`,
  // message expired · TTL expired · time to live exceeded · maximum event age · event age exceeded
  "[Sj][YfoZ]{0,5}X",
  `(?:Y|Z${f}Z)${f}{0,2}[XE]`,
  `(?:L${sent}Y|${sent}Y${f}{0,2}[XE])[fod]*`,
];

/** What was done with a message, in the same breath: it is left out where somebody gave up. */
export const handlingShapes: readonly string[] = [`${sent}${f}{0,3}[HV]`, "(?<![^|])H(?=$|[|P])"];

/** No text without one of these says so: what most texts are spared. */
export const givingUpHints =
  /retr|deliver|attempt|tries|tried|times|often|receive|requeue|consum|backout|poison|redrive|g[ai]v(?:e|ing|en) ?_?up|dead|rejected by|expired|[aA]ge\b|Age|ttl/i;
