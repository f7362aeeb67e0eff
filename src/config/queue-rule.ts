import { matchesName } from "../domain/name-pattern.ts";
import type { SourceConfig } from "./config.ts";

type QueueRule = SourceConfig["queues"][number];

/** What the configuration says of a dead-letter queue; the first match holds. Null: nothing. */
export function queueRule({ queues }: Pick<SourceConfig, "queues">, name: string): QueueRule | null {
  return queues.find(({ match }) => matchesName(match, name)) ?? null;
}
