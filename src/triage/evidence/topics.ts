import type { Finding, Source } from "../finding.ts";
import type { Row } from "../knowledge/read-table.ts";
import type { Mention } from "../lexicon.ts";
import { meaningOf } from "../sentences.ts";
import type { CategorisedTopic } from "../topics/all-topics.ts";
import type { Reading } from "./reading.ts";

/** Topics whose words only tell that something failed. */
const hiding = ["gave-up", "server-error"];

/** What the words of the message, the class, the code and the causes are about. */
export function topicsOf({ message, name, code, causes }: Reading): Finding[] {
  const last = message.mentions.at(-1)?.end ?? 1;
  return [
    ...message.mentions.map((mention) => finding("message", "The message says", mention, 1 + lateness(mention, last))),
    ...name.mentions.map((mention) => finding("class", "The error's class says", mention, 0.92)),
    ...code.mentions.map((mention) => finding("code", "The code says", mention, 0.95)),
    ...causes.flatMap(({ read }) => read.mentions.map((mention) => finding("cause", "Its cause says", mention, 1))),
  ].filter((found): found is Finding => found !== undefined);
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
    yields: hiding.includes(topic.id),
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
