import { isReadInPlace } from "../config/broker-names.ts";
import type { SourceConfig } from "../config/config.ts";
import { queueRule } from "../config/queue-rule.ts";

/** What is to be done with what lies in a dead-letter queue. */
export type LetterFate = "drain" | "read in place" | "observe" | "leave alone";

/** As the source has it; a queue that no rule names is left alone. */
export function letterFate(source: Pick<SourceConfig, "broker" | "queues">, deadLetters: string): LetterFate {
  const rule = queueRule(source, deadLetters);
  if (rule === null) return "leave alone";
  return isReadInPlace(source.broker) ? "read in place" : rule.mode;
}
