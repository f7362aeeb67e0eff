import type { Finding, Source } from "../finding.ts";
import type { Row } from "../knowledge/read-table.ts";
import type { Mention, ReadText } from "../lexicon.ts";
import { meaningOf } from "../sentences.ts";
import type { CategorisedTopic } from "../topics/all-topics.ts";

/** Topics whose words only tell that something failed. */
const hiding: ReadonlySet<string> = new Set(["wrapper", "server-error"]);

/** How the evidence is called in a sentence, and how far words there may be trusted. */
const places = {
  message: { says: "The message says", trust: 1 },
  class: { says: "The error's class says", trust: 0.92 },
  code: { says: "The code says", trust: 0.95 },
  cause: { says: "Its cause says", trust: 1 },
} as const;

/** What the words of a text are about. */
export function topicsIn(source: keyof typeof places, { mentions }: ReadText): readonly Finding[] {
  const { says, trust } = places[source];
  const last = mentions.at(-1)?.end ?? 1;
  const findings: Finding[] = [];
  for (const mention of mentions) {
    const late = source === "message" ? lateness(mention, last) : 0;
    const found = finding(source, says, mention, trust + late);
    if (found !== undefined) findings.push(found);
  }
  return findings;
}

/** In "saving failed: validation failed: email is taken" what comes last is the cause. */
function lateness({ end }: Mention, last: number): number {
  return 0.05 * Math.min(1, end / last);
}

function finding(source: Source, says: string, mention: Mention, trust: number): Finding | undefined {
  const { about } = mention;
  if ("kind" in about) return rowFinding(source, says, about, trust);
  return topicFinding(source, says, about, mention.words, trust);
}

function topicFinding(source: Source, says: string, topic: CategorisedTopic, words: string, trust: number): Finding {
  return {
    source,
    category: topic.category,
    weight: topic.confidence * trust * (isThin(words) ? 0.86 : 1),
    rule: `${source}/${topic.id}`,
    why: () => `${says} "${shown(words)}": ${topic.means}.`,
    effect: topic.effect ?? "none",
    yields: hiding.has(topic.id),
  };
}

function rowFinding(source: Source, says: string, row: Row, trust: number): Finding | undefined {
  const { category } = row;
  if (category === null) return undefined;
  return {
    source,
    category,
    weight: row.confidence * trust * (isThin(row.key) ? 0.86 : 1),
    rule: `message/${row.system}/${row.key}`,
    why: () => `${says} "${row.key}": ${meaningOf[category]}.`,
    effect: row.uncertain ? "if writing" : "none",
  };
}

/** One short word says less than two. */
const isThin = (words: string) => words.length < 13 && !words.includes(" ");

const shown = (words: string) => words.replaceAll(" + ", " … ").replace("*", "…");
