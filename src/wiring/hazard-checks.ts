import type { Check, Found } from "./finding.ts";
import type { Hazard, Wiring } from "./wiring.ts";

/** Whether a message that was confirmed stays. */
export const hazardChecks: readonly Check[] = [
  {
    code: "broker.evicts",
    severity: "error",
    about: "when memory is short, the broker deletes queues, or what belongs to them, to make room",
    remedy: "Let the broker refuse messages instead.",
    find: (wiring) => foundAs(wiring, "evicts"),
  },
  {
    code: "broker.forgets",
    severity: "error",
    about: "messages are in memory alone: a restart of the broker loses what it had confirmed",
    remedy: "Let the broker write to disk.",
    find: (wiring) => foundAs(wiring, "forgets"),
  },
  {
    code: "queue.trimmed",
    severity: "error",
    about: "messages were deleted before they were read: a producer or a job trims the queue by its length",
    remedy: "Trim no further than the slowest reader, or leave it to the consumers.",
    find: (wiring) => foundAs(wiring, "trimmed"),
  },
  {
    code: "delivery_limit.unheard",
    severity: "error",
    about: "the broker gives up a message after so many deliveries, and what it says of that is kept nowhere",
    remedy: "Have what it says kept, or lift the limit.",
    find: (wiring) => foundAs(wiring, "gives-up"),
  },
  {
    code: "delivery_limit.low",
    severity: "warning",
    about:
      "the broker dead-letters a message after fewer deliveries than a consumer makes attempts: restarts count, and nobody says why it died",
    remedy: "Raise the limit above the consumer's attempts.",
    find: (wiring) => foundAs(wiring, "gives-up-early"),
  },
  {
    code: "broker.flushes_late",
    severity: "note",
    about: "the broker confirms before the disk has it: a crash of the machine loses the last moments",
    remedy: "Let the broker flush before it confirms, where that is worth its price.",
    find: (wiring) => foundAs(wiring, "flushes-late"),
  },
];

function foundAs({ hazards = [], queues }: Wiring, kind: Hazard["kind"]): Found[] {
  return hazards
    .filter((hazard) => hazard.kind === kind)
    .map(({ queue, sentence, remedy }) => ({
      queue: queues.find(({ name }) => name === queue) ?? null,
      sentence,
      remedy,
    }));
}
