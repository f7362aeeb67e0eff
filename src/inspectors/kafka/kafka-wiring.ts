import { soundsDead, sourceOf } from "../../wiring/names.ts";
import {
  type DeadLettering,
  type Gap,
  type Keeping,
  keepsAll,
  type WiredQueue,
  type Wiring,
} from "../../wiring/wiring.ts";
import type { TopicFacts } from "./topic-facts.ts";

/** Kafka itself knows of no dead letters: what belongs together is told by the names. Pure. */
export function kafkaWiring(topics: readonly TopicFacts[], now: number): Wiring {
  const letters = lettersByTopic(topics.map(({ name }) => name));
  return {
    product: "Kafka",
    queues: topics.map((topic) => wiredTopic(topic, letters.get(topic.name) ?? [], now)),
    sees: [
      "how long topics keep records, and whether they are compacted",
      "how many letters are in dead-letter topics, and how old the oldest is",
    ],
    blindTo: [
      "whether consumers dead-letter at all: Kafka leaves that to them, and their topics are found by their names",
    ],
    gaps: gapsOf(topics),
  };
}

function wiredTopic(
  { name, settings, records, firstAt }: TopicFacts,
  letters: readonly string[],
  now: number,
): WiredQueue {
  return {
    name,
    depth: records,
    oldestAgeMs: firstAt === null ? null : Math.max(0, now - firstAt),
    isTemporary: false,
    deadLettering: soundsDead(name) ? null : letters.length === 0 ? "unseen" : byName(letters),
    keeping: settings === null ? keepsAll : keepingOf(settings),
    deliveryLimit: null,
  };
}

function byName(targets: readonly string[]): DeadLettering {
  return {
    via: "the consumers",
    targets,
    leaks: [],
    targetsAfterReplay: targets,
    unsure: null,
    afterMs: null,
    byBroker: false,
  };
}

/** What is only compacted is never deleted for its age. */
function keepingOf(settings: ReadonlyMap<string, string>): Keeping {
  const policy = settings.get("cleanup.policy") ?? "delete";
  const limit = (name: string) => {
    const value = Number(settings.get(name) ?? -1);
    return policy.includes("delete") && Number.isFinite(value) && value >= 0 ? value : null;
  };
  const bytes = limit("retention.bytes");
  return {
    ...keepsAll,
    retentionMs: limit("retention.ms"),
    dropsBeyond: bytes === null ? null : `${bytes} bytes in a partition`,
    isCompacted: policy.includes("compact"),
  };
}

/** `orders.billing.dlq` belongs to `orders.billing` if there is such a topic, and else to `orders`, read by a group. */
function lettersByTopic(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const all = new Set(names);
  const letters = new Map<string, string[]>();
  for (const name of names) {
    const owner = soundsDead(name) ? ownerOf(sourceOf(name) ?? "", all) : undefined;
    if (owner !== undefined) letters.set(owner, [...(letters.get(owner) ?? []), name]);
  }
  return letters;
}

function ownerOf(source: string, topics: ReadonlySet<string>): string | undefined {
  for (let name = source; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
    if (topics.has(name)) return name;
  }
  return undefined;
}

function gapsOf(topics: readonly TopicFacts[]): Gap[] {
  const unseen = topics.filter(({ settings }) => settings === null);
  if (unseen.length === 0) return [];
  return [
    {
      kind: "missing",
      sentence: `The settings of ${unseen.length} topics cannot be read, so what they delete is not known.`,
      remedy:
        "kafka-acls.sh --bootstrap-server HOST:PORT --add --allow-principal User:dlo --operation DescribeConfigs --topic '*'",
    },
  ];
}
