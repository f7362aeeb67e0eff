/**
 * What a consumer service uses. Every file that no door names is private.
 *
 * The other doors: `dead-letter-office/postgres`, `/pglite`, `/opentelemetry`, `/testing`.
 */
export type { Cancel, Clock, Host, NewId, Random } from "./domain/clock.ts";
export { type ErrorCode, errorCodes, isOfficeError, OfficeError } from "./domain/errors.ts";
export { type FailureKind, Park, RetryLater, Unprocessable } from "./domain/handler-errors.ts";
export type { DeadPlace } from "./domain/key-release.ts";
export {
  type Address,
  type Delivery,
  type Header,
  type HeaderValue,
  headerText,
  type Message,
  type MessageParts,
  makeMessage,
  textHeader,
  type Verdict,
} from "./domain/message.ts";
export type {
  BreakerReport,
  HandledSchema,
  HeartbeatReport,
  Outcome,
  OutcomeReport,
  ProbeAnswer,
  ProbeReport,
  QueueHeartbeat,
  Report,
  Reporter,
} from "./domain/report.ts";
export { type DeadLetterReason, deadLetterReasons, queueNames, wire, wireCaps } from "./domain/wire.ts";
export {
  type Backoff,
  type BackoffOptions,
  backoff,
  backoffDefaults,
  exponentialBackoff,
  fixedBackoff,
  immediateBackoff,
  type Jitter,
  linearBackoff,
  progressiveBackoff,
  stagedBackoff,
} from "./policies/backoff.ts";
export { assessBackpressure, type Backpressure, type Load, neededConcurrency } from "./policies/backpressure.ts";
export { BreakerOpen, isBreakerOpen } from "./policies/breaker-open.ts";
export { type BudgetOptions, budgetDefaults, createBudget, type RetryBudget } from "./policies/budget.ts";
export type { BreakerPhase, BreakerSnapshot, CircuitBreakerOptions } from "./policies/circuit-breaker.ts";
export { describeWaits, type WaitRange } from "./policies/describe-waits.ts";
export { type Classify, type FailureFacts, readFailure } from "./policies/failure.ts";
export { createGuard, type Guard, type GuardOptions, type GuardRetry, guardRetryDefaults } from "./policies/guard.ts";
export { type PoisonOptions, poisonDefaults } from "./policies/poison.ts";
export { type StormOptions, stormDefaults } from "./policies/storm.ts";
export {
  type OfficeReports,
  type OfficeReportsOptions,
  officeReports,
  officeReportsDefaults,
} from "./reports/office-reports.ts";
export type { Handler, HandlerContext, Log } from "./runtime/attempt.ts";
export type { AttemptRecord } from "./runtime/attempt-log.ts";
export {
  type Breaker,
  type BreakerChange,
  type BreakerOptions,
  breakerDefaults,
  createBreaker,
} from "./runtime/breaker.ts";
export { type Consumer, type ConsumerHealth, createConsumer } from "./runtime/consumer.ts";
export {
  type ConsumerOptions,
  consumerDefaults,
  type DeadLetterOptions,
  type EffectProbe,
  type InboxOptions,
  type ProbedMessage,
  type RetryOptions,
} from "./runtime/consumer-options.ts";
export type { Decoding, StandardSchema } from "./runtime/decode.ts";
export type {
  ConsumerDescription,
  ConsumerEvent,
  FailureSummary,
  Observer,
  RetryCause,
  RunningAttempt,
} from "./runtime/events.ts";
export type {
  BlockedKey,
  BlockedKeys,
  BlockedKeysAdmin,
  BlockedKeysSummary,
  Lane,
  LaneAnswer,
  LaneArrival,
  LaneEntry,
  LaneFate,
  LaneFinding,
  LaneOccupant,
  LanePlace,
  LaneQuestion,
  LaneRelease,
  LaneState,
  LaneWeighing,
} from "./stores/blocked-keys.ts";
export type { Inbox, InboxEntry, InboxOutcome, Turn } from "./stores/inbox.ts";
export { memoryBlockedKeys } from "./stores/memory-blocked-keys.ts";
export { memoryInbox } from "./stores/memory-inbox.ts";
export { memorySharedState } from "./stores/memory-shared-state.ts";
export type { SharedDocument, SharedState } from "./stores/shared-state.ts";
export { systemHost } from "./system/host.ts";
export { type MemoryTransportOptions, memoryTransport } from "./transports/memory.ts";
export { type MemoryBroker, memoryBroker } from "./transports/memory-broker.ts";
export type { PullLink, Taken, TakeOptions } from "./transports/pull-link.ts";
export { type PullTransportOptions, pullTransport, pullTransportDefaults } from "./transports/pull-transport.ts";
export type {
  Capabilities,
  ConsumeOptions,
  Gate,
  Handle,
  Incident,
  SendOptions,
  Shortcomings,
  Transport,
} from "./transports/transport.ts";
