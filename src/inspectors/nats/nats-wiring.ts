import { advisorySubjects, type ConsumerInfo, covers, type StreamInfo } from "../../transports/nats/facts.ts";
import { nameOfWord, ourSubjects } from "../../transports/nats/names.ts";
import { deadLetteringByName, lettersByName } from "../../wiring/letters-by-name.ts";
import { type Hazard, type Keeping, keepsAll, type WiredQueue, type Wiring } from "../../wiring/wiring.ts";

/** What was seen of a stream. */
export interface StreamFacts {
  readonly info: StreamInfo;
  /** How many messages each of its subjects has, as far as that was looked at. */
  readonly subjects: Readonly<Record<string, number>>;
  readonly consumers: readonly ConsumerInfo[];
}

export interface ServerFacts {
  readonly version: string;
  readonly now: number;
}

/** NATS itself knows of no dead letters: what belongs together is told by the names. Pure. */
export function natsWiring({ version, now }: ServerFacts, streams: readonly StreamFacts[]): Wiring {
  const found = streams.flatMap((stream) => subjectsOf(stream).map((subject) => ({ stream, ...subject })));
  const letters = lettersByName(found.map(({ name }) => name));
  return {
    product: `NATS ${version}`,
    queues: found.map(({ name, depth, stream }) => wiredSubject(name, depth, stream, letters.get(name) ?? [], now)),
    sees: [
      "how many messages are in each stream, for how long they are kept, and whether what it gives up is heard of",
    ],
    blindTo: [
      "whether consumers dead-letter at all: NATS leaves that to them, and their subjects are found by their names",
      "how often the server writes to disk: `sync_interval` is two minutes unless somebody set it, and a crash of the machine " +
        "loses that much where no other server has a copy",
    ],
    gaps: [],
    hazards: [...streams.flatMap(forgetting), ...streams.flatMap((stream) => givingUp(stream, streams))],
  };
}

/** Subjects by the name that a queue has: of our own stream those that are queues, of others those that it takes. */
function subjectsOf({ info, subjects }: StreamFacts): readonly { readonly name: string; readonly depth: number }[] {
  const ours = ourSubjects.queue("");
  const named = info.config.subjects.filter((subject) => !isOurs(subject) && !subject.startsWith("$"));
  const present = Object.keys(subjects).filter((subject) => !isOurs(subject) || subject.startsWith(ours));
  const all = new Set([...named.filter((subject) => !/[*>]/u.test(subject)), ...present]);
  return [...all].sort().map((subject) => ({
    name: subject.startsWith(ours) ? nameOfWord(subject.slice(ours.length)) : subject,
    depth: subjects[subject] ?? 0,
  }));
}

function isOurs(subject: string): boolean {
  return ourSubjects.all.some((pattern) => covers(pattern, subject) || pattern === subject);
}

function wiredSubject(
  name: string,
  depth: number,
  { info: { config, state } }: StreamFacts,
  letters: readonly string[],
  now: number,
): WiredQueue {
  const isAlone = config.subjects.length === 1 && config.subjects[0] === name && state.messages > 0;
  return {
    name,
    depth,
    oldestAgeMs: isAlone ? Math.max(0, now - Date.parse(state.first_ts)) : null,
    isTemporary: false,
    deadLettering: deadLetteringByName(name, letters),
    keeping: keepingOf(config),
    deliveryLimit: null,
  };
}

function keepingOf({ max_age, max_msgs, max_bytes, discard }: StreamInfo["config"]): Keeping {
  const limits = [max_msgs > 0 ? `${max_msgs} messages` : null, max_bytes > 0 ? `${max_bytes} bytes` : null];
  const limit = limits.find((each) => each !== null) ?? null;
  return {
    ...keepsAll,
    retentionMs: max_age > 0 ? max_age / 1e6 : null,
    dropsBeyond: discard === "old" ? limit : null,
  };
}

function forgetting({ info: { config } }: StreamFacts): Hazard[] {
  if (config.storage !== "memory") return [];
  return [
    {
      kind: "forgets",
      queue: null,
      sentence: `The stream \`${config.name}\` is in memory: a restart loses it.`,
      remedy: `A stream cannot be moved to disk: make another with \`nats stream add --storage file\`, and have \`${config.name}\` copied by it (\`--source ${config.name}\`).`,
    },
  ];
}

/** A consumer stops at its `max_deliver`, and says so once: whoever does not listen then never hears of it. */
function givingUp({ info, consumers }: StreamFacts, streams: readonly StreamFacts[]): Hazard[] {
  const stream = info.config.name;
  const isHeard = (subject: string) =>
    streams.some(({ info: { config } }) => config.subjects.some((each) => covers(each, subject)));
  return consumers
    .filter(({ name, config }) => (config.max_deliver ?? -1) > 0 && !isHeard(advisorySubjects.gaveUpOf(stream, name)))
    .map(({ name, config }) => ({
      kind: "gives-up",
      queue: null,
      sentence:
        `The consumer \`${name}\` of \`${stream}\` gives a message up after ${config.max_deliver} deliveries, and no stream ` +
        "keeps what NATS says of that.",
      remedy: `nats stream add DLO-ADVISORIES --subjects '${advisorySubjects.gaveUp}' --storage file --retention limits --max-age 14d --defaults`,
    }));
}
