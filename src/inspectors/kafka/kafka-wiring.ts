import { deadLetteringByName, lettersByName } from "../../wiring/letters-by-name.ts";
import { type Gap, type Keeping, keepsAll, type WiredQueue, type Wiring } from "../../wiring/wiring.ts";
import type { TopicFacts } from "./topic-facts.ts";

/** Kafka itself knows of no dead letters: what belongs together is told by the names. Pure. */
export function kafkaWiring(topics: readonly TopicFacts[], now: number): Wiring {
  const letters = lettersByName(topics.map(({ name }) => name));
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
    deadLettering: deadLetteringByName(name, letters),
    keeping: settings === null ? keepsAll : keepingOf(settings),
    deliveryLimit: null,
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
