import { queueNames } from "../domain/wire.ts";

/**
 * How people call the place for dead letters. First ours; then what frameworks and platforms make by themselves.
 * Compared without regard to case.
 */
const suffixes = [
  queueNames.deadLetters(""),
  "-dlq",
  "_dlq",
  "__dlq",
  "-dlt",
  ".dlt",
  "_error",
  "_skipped",
  ".xq",
  ".dead",
  ".dead-letter",
  ".deadletter",
  "-dead-letter",
  "-dead-letter-queue",
  "_dead_letter",
  "_dead_letters",
  ".dead-letters",
  "-deadletter",
  ".poison",
  "-poison",
  "_poison",
] as const;

const prefixes = ["dead-letter-topic-", "dlq.", "dlq-", "dlt.", "error."] as const;

/** One place for all. */
const whole =
  /^(dlq|dlt|error|errors|dead|dead[-_.]?letters?|poison|.*[-_.]dead-letter-queue|easynetq_default_error_queue)$/;

/** Whether a name says that dead letters are kept there. */
export function soundsDead(name: string): boolean {
  return sourceOf(name) !== null || whole.test(name.toLowerCase()) || isQuarantine(name);
}

/** The queue that a dead-letter queue belongs to, as far as its name says. */
export function sourceOf(name: string): string | null {
  const lower = name.toLowerCase();
  const suffix = suffixes.find((each) => lower.endsWith(each) && lower.length > each.length);
  if (suffix !== undefined) return name.slice(0, -suffix.length);
  const prefix = prefixes.find((each) => lower.startsWith(each) && lower.length > each.length);
  return prefix === undefined ? null : name.slice(prefix.length);
}

/** Queues of ours beside a queue that need no dead-letter queue of their own. */
export function isOursAside(name: string): boolean {
  const beside = [queueNames.parked(""), queueNames.probes("")];
  return name === queueNames.reports || beside.some((suffix) => name.endsWith(suffix)) || isQuarantine(name);
}

function isQuarantine(name: string): boolean {
  return name.includes(queueNames.quarantine("", ""));
}
