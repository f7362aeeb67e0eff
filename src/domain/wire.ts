/**
 * The names on the wire. They are a public contract: other programs read them, in any language
 * (docs/reference/wire.md), so a change here is a breaking change.
 */
export const wire = {
  /** The queue the rest belongs to. On another queue our headers are a stranger's and are ignored. */
  queue: "dlo-queue",
  /** Attempts charged so far, decimal. */
  attempt: "dlo-attempt",
  firstFailedAt: "dlo-first-failed-at",
  failedAt: "dlo-failed-at",
  /** Compact JSON, newest last. */
  history: "dlo-history",
  /** On a dead letter: JSON with class, message, code, status, stack. */
  error: "dlo-error",
  /** Why it was dead-lettered: one of `deadLetterReasons`. */
  reason: "dlo-reason",
  /** What the runtime took the failure for. */
  category: "dlo-category",
  /** JSON with service, handler, version, instance, host, process. */
  consumer: "dlo-consumer",
  /** On a dead letter: which failure it is. A second dead letter of it has the same. */
  failure: "dlo-failure",
  /** Idempotency key. */
  key: "dlo-key",
  /** Ordering key. */
  order: "dlo-order",
  /** Name and version of the message's schema. */
  schema: "dlo-schema",
  /** Where the broker kept the message when it first failed, by the broker's own name for the place. */
  position: "dlo-position",
  /** Number in the lane of its key. */
  lane: "dlo-lane",
  /** On a message to the consumers of a queue: the number in the lane of its key that they should release. */
  release: "dlo-release",
  /** The last pass over the parked messages that left it there. */
  pass: "dlo-pass",
  /** On RabbitMQ: which message it is, on each that our transport sends, and the same on each copy of it. Handlers do not see it. */
  sendId: "dlo-send-id",
  letter: "dlo-letter",
  replay: "dlo-replay",
  /** On a corrective message: the letter it makes up for. */
  compensates: "dlo-compensates",
  /** On a question to a consumer, whether the message it carries took effect: which question, and until when it is waited for. */
  probe: "dlo-probe",
  probeUntil: "dlo-probe-until",
  /** On Kafka, in a retry topic: what is left of a delay when its wait there is over, and how much longer it may become. */
  wait: "dlo-wait",
  /** On Kafka, before the name of a property: a record has nothing beside its headers. */
  property: "dlo-property-",
} as const;

/** No header of ours is longer than this, in bytes of UTF-8. */
export const wireCaps = {
  queue: 256,
  history: 4_096,
  error: 12_288,
  stack: 8_192,
  consumer: 512,
  key: 512,
  order: 512,
  schema: 256,
  position: 256,
} as const;

/** What `dlo-reason` may say. */
export const deadLetterReasons = [
  "attempts_exhausted",
  "unprocessable",
  "schema_mismatch",
  "business_rule",
  "integration_refused",
  "retry_budget_exhausted",
  "circuit_open",
  "poison",
  "crash_poison",
  "duplicate",
  /** Its handler set it aside, and later messages of its key wait for it. */
  "parked",
] as const;

export type DeadLetterReason = (typeof deadLetterReasons)[number];

/** The queues around a queue. Transports spell them their own way where a broker forbids dots. */
export const queueNames = {
  deadLetters: (queue: string): string => `${queue}.dlq`,
  quarantine: (queue: string, category: string): string => `${queue}.dlq.quarantine.${category}`,
  parked: (queue: string): string => `${queue}.parked`,
  retry: (queue: string, delay: string): string => `${queue}.retry.${delay}`,
  probes: (queue: string): string => `${queue}.probes`,
  reports: "dlo.reports",
} as const;
