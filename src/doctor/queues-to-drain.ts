import { isReadInPlace } from "../config/broker-names.ts";
import type { SourceConfig } from "../config/config.ts";
import { queueRule } from "../config/queue-rule.ts";
import { letterQueues } from "../wiring/dead-letter-queues.ts";
import { type InspectOptions, inspectSource } from "./inspect-source.ts";

/**
 * The queues of a source that the configuration wants taken in: drained, or observed where letters are read in place. A name is taken at its word; of what a `*` matches, only queues
 * that hold dead letters: `*` must never empty a queue that is worked on.
 */
export async function queuesToDrain(source: SourceConfig, options: InspectOptions): Promise<readonly string[]> {
  const wanted = isReadInPlace(source.broker) ? "observe" : "drain";
  if (!source.queues.some(({ mode }) => mode === wanted)) return [];
  const named = source.queues.map(({ match }) => match).filter((match) => !match.includes("*"));
  const hasPattern = source.queues.some(({ match, mode }) => mode === wanted && match.includes("*"));
  const found = hasPattern ? await lettersOf(source, options) : [];
  return [...new Set([...named, ...found])].filter((name) => queueRule(source, name)?.mode === wanted);
}

async function lettersOf(source: SourceConfig, options: InspectOptions): Promise<readonly string[]> {
  const { wiring } = await inspectSource(source, options);
  return letterQueues(wiring).map(({ name }) => name);
}
