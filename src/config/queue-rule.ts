import type { KeyPlace } from "../domain/key-place.ts";
import { matchesName } from "../domain/name-pattern.ts";
import type { SourceConfig } from "./config.ts";

type QueueRule = SourceConfig["queues"][number];

/** What the configuration says of a dead-letter queue; the first match holds. Null: nothing. */
export function queueRule({ queues }: Pick<SourceConfig, "queues">, name: string): QueueRule | null {
  return queues.find(({ match }) => matchesName(match, name)) ?? null;
}

/** Where consumers of its letters find the idempotency key: a rule that says "nowhere" overrules its source. Null: where senders usually put it. */
export function keyPlaceIn(source: SourceConfig | undefined, deadLetters: string): KeyPlace | null {
  const ofQueue = source === undefined ? undefined : queueRule(source, deadLetters)?.key;
  return (ofQueue === undefined ? source?.key : ofQueue) ?? null;
}
