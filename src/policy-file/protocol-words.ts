import type { Category } from "../domain/classification.ts";
import { durationInWords } from "../domain/duration.ts";
import { exemptPerDay, type Protocol } from "../domain/protocol.ts";
import { count, listed, percent } from "./protocol-parameters.ts";

/** What a policy says of the letters of a category, to whoever has never seen its file: a sentence for each thing. */
export function protocolInWords(category: Category, protocol: Protocol): readonly string[] {
  const { allows, auto } = protocol;
  if (allows === "never") return [meaning(category, allows), "No policy can allow it."];
  return [
    meaning(category, allows),
    ...(category === "schema_mismatch" ? [gate(protocol)] : []),
    pace(protocol),
    watch(protocol),
    stops(protocol),
    ...approvals(protocol),
    `A letter goes back at most ${times(protocol.maxReplays)}.`,
    ...asksBefore(protocol),
    auto
      ? "They may also go by themselves, once there is evidence that their cause is gone."
      : "None goes by itself: a person plans it.",
  ];
}

/** What the category stands for decides first. */
function meaning(category: Category, allows: Protocol["allows"]): string {
  const how = allows === "bulk" ? "in bulk" : "one at a time";
  const meanings: Readonly<Record<Category, string>> = {
    transient: `May go back ${how}; one that came back as transient again, only after a fix was recorded.`,
    schema_mismatch: `May go back ${how} once a consumer that handles their schema is deployed, and only those that failed before that.`,
    business_rule: "Each is decided on its own: a replay holds one letter.",
    poison: `May go back ${how} once a fix is recorded, and only those that failed before that.`,
    lost_context: "Never go back: what they were about is gone. Drop them, compensate, or escalate.",
    unknown: "Never go back while nobody knows what they are. Say what they are, or write a rule that does.",
  };
  return meanings[category];
}

function gate({ gates }: Protocol): string {
  return gates.trust === "recorded"
    ? "Only a deploy that somebody recorded opens that gate."
    : "A deploy that somebody recorded opens that gate, and so does what consumers report of themselves.";
}

function pace({ allows, rate, batch, ramp }: Protocol): string {
  const speed = `at most ${count(rate)} a second`;
  if (allows === "single") return `It goes ${speed}.`;
  const steps = ramp.length === 0 ? "all in one step" : `in steps of ${listed([...ramp.map(count), "the rest"])}`;
  return `They go ${speed} and ${count(batch)} at once, ${steps}.`;
}

function watch({ allows, settleS, onUnknown }: Protocol): string {
  const wait = `for ${durationInWords(settleS * 1_000)}, longer where letters take longer to fail`;
  if (allows === "single") return `Its outcome is watched ${wait}.`;
  const then = onUnknown === "pause" ? "the replay pauses" : "the replay goes on";
  return `Each step is watched ${wait}; where nobody can say how it went, ${then}.`;
}

function stops({ halt: { returns, lag } }: Protocol): string {
  const behind = lag === null ? "" : `, or where they go is more than ${count(lag)} messages behind`;
  return `A replay stops by itself when more than ${percent(returns)} of a step come back${behind}.`;
}

function approvals({ allows, approvals: rules }: Protocol): readonly string[] {
  const { n, roles, expiresS, exemptUpTo } = rules;
  const hold = durationInWords(expiresS * 1_000);
  if (n === 0) return [`Nobody has to approve. A plan holds for ${hold}.`];
  const who = `${n === 1 ? "one person" : `${count(n)} people`} with the role ${listed(roles, "or")}, other than who asks`;
  const exempt = "all of its letters are ready, unedited and classified by no person";
  const plans = {
    every: `Every plan needs the approval of ${who}.`,
    single: `A plan needs the approval of ${who}, unless ${exempt}.`,
    bulk: `A plan of more than ${count(exemptUpTo)} letters needs the approval of ${who}; so does a smaller one, unless ${exempt}.`,
  };
  return [
    plans[exemptUpTo === 0 || allows === "never" ? "every" : allows],
    ...(exemptUpTo === 0
      ? []
      : [`Without approval one person may replay ${count(exemptPerDay(rules))} letters of a queue within 24 hours.`]),
    `A plan and its approval hold for ${hold}.`,
  ];
}

const duplicateSentences: Readonly<Record<Protocol["duplicates"], readonly string[]>> = {
  once: [
    "Where a duplicate would not be recognized, a plan needs an approval until a person accepts duplicates in that queue.",
  ],
  ask: ["Where a duplicate would not be recognized, a person accepts that in each plan."],
  refuse: ["Nothing goes where a duplicate would not be recognized."],
};

/** Where nobody approves plans, somebody has to say so all the same. */
const onceUnapproved =
  "Where a duplicate would not be recognized, a person accepts that in each plan, until a person accepts duplicates in that queue.";

function asksBefore({ probe, effects, duplicates, health, approvals: { n } }: Protocol): readonly string[] {
  return [
    ...(health.length === 0
      ? []
      : [`Nothing goes unless ${listed(health)} ${health.length === 1 ? "answers" : "answer"} well.`]),
    ...(probe === null ? [] : [`Before a letter goes, ${probe.url} is asked whether an earlier attempt took effect.`]),
    ...(duplicates === "once" && n === 0 ? [onceUnapproved] : duplicateSentences[duplicates]),
    ...(effects === "strict"
      ? ["Where no effect check can tell whether an earlier attempt took effect, a person accepts that first."]
      : []),
  ];
}

function times(n: number): string {
  return n === 1 ? "once" : `${count(n)} times`;
}
