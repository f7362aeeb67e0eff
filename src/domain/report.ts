/** What a consumer tells the office on the queue `dlo.reports`: JSON, one object a message (docs/reference/wire.md). */
export type Report = OutcomeReport | HeartbeatReport | BreakerReport | ProbeReport;

/** Who is speaking. */
export interface Reporter {
  readonly service: string;
  readonly version: string;
  /** This process among its equals. */
  readonly instance: string;
}

/** What became of a message that a replay had sent. */
export interface OutcomeReport extends Reporter {
  readonly v: 1;
  readonly kind: "outcome";
  /** `dlo-letter` and `dlo-replay` of the message, as they came. */
  readonly letter: string;
  readonly replay: string;
  readonly queue: string;
  readonly result: Outcome;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Processed; known to the inbox as processed before; dead-lettered again. */
export type Outcome = "done" | "suppressed" | "dead";

/** Who is at work, and what a replay must know of them. */
export interface HeartbeatReport extends Reporter {
  readonly v: 1;
  readonly kind: "heartbeat";
  readonly queues: readonly QueueHeartbeat[];
  readonly at: string;
}

export interface QueueHeartbeat {
  readonly queue: string;
  readonly schemas: readonly HandledSchema[];
  /** How long the inbox remembers a success, in seconds; null without an inbox. */
  readonly inboxWindowS: number | null;
  /** What its handler writes is committed together with the inbox's memory of it, or not at all. @default false */
  readonly inboxTransactional?: boolean;
  /** How long a message may be on its way through all its attempts, in seconds. */
  readonly retryHorizonS: number;
  /** Whether the consumer can be asked if a message took effect. */
  readonly probe: boolean;
}

/** Versions of a message schema that a handler understands. */
export interface HandledSchema {
  readonly name: string;
  readonly versions: readonly string[];
}

/** Whether a message that failed took effect all the same: it did, it did not, or its consumer cannot tell. */
export type ProbeAnswer = "done" | "none" | "unknown";

/** What a consumer's probe says of a message that the office asked about. */
export interface ProbeReport extends Reporter {
  readonly v: 1;
  readonly kind: "probe";
  /** `dlo-probe` of the question, as it came. */
  readonly question: string;
  readonly queue: string;
  readonly effect: ProbeAnswer;
  readonly at: string;
}

/** How a breaker of a consumer is: when it changes, and with each heartbeat until it is closed. */
export interface BreakerReport extends Reporter {
  readonly v: 1;
  readonly kind: "breaker";
  /** The queue of the consumer that it holds up. */
  readonly queue: string;
  readonly name: string;
  readonly state: "closed" | "open" | "half-open";
  readonly since: string;
  readonly at: string;
}
