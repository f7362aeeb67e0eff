import { expect, it } from "vitest";
import { existingDoors } from "./documents/doors.ts";
import { exportedNames } from "./documents/exported-names.ts";

/**
 * What services may import, by door. A name that is missing here was taken away, which is a breaking change; a new one is
 * a promise. Either is a line in CHANGELOG.md.
 */
const approved: Readonly<Record<string, string>> = {
  "dead-letter-office": `
    Address AttemptRecord Backoff BackoffOptions Backpressure Breaker BreakerChange BreakerOpen BreakerOptions
    BreakerPhase BreakerReport BreakerSnapshot BudgetOptions Cancel Capabilities CircuitBreakerOptions Classify
    Clock ConsumeOptions Consumer ConsumerDescription ConsumerEvent ConsumerHealth ConsumerOptions
    DeadLetterOptions DeadLetterReason Decoding Delivery ErrorCode FailureFacts FailureKind FailureSummary Gate
    Guard GuardOptions GuardRetry Handle HandledSchema Handler HandlerContext Header HeaderValue HeartbeatReport
    Host Inbox InboxEntry InboxOptions InboxOutcome Incident Jitter Load Log MemoryBroker MemoryTransportOptions
    Message MessageParts NewId Observer OfficeError OfficeReports OfficeReportsOptions Outcome OutcomeReport Park
    PoisonOptions PullLink PullTransportOptions QueueHeartbeat Random Report Reporter RetryBudget RetryCause
    RetryLater RetryOptions RunningAttempt SharedDocument SharedState Shortcomings StandardSchema StormOptions
    TakeOptions Taken Transport Turn Unprocessable Verdict WaitRange assessBackpressure backoff backoffDefaults
    breakerDefaults budgetDefaults consumerDefaults createBreaker createBudget createConsumer createGuard
    deadLetterReasons describeWaits errorCodes exponentialBackoff fixedBackoff guardRetryDefaults headerText
    immediateBackoff isBreakerOpen isOfficeError linearBackoff makeMessage memoryBroker memoryInbox
    memorySharedState memoryTransport neededConcurrency officeReports officeReportsDefaults poisonDefaults
    progressiveBackoff pullTransport pullTransportDefaults queueNames readFailure stagedBackoff stormDefaults
    systemHost textHeader wire wireCaps`,
  "dead-letter-office/postgres": `
    Database MigrateOptions Outbox OutboxLag OutboxMessage OutboxOptions OutboxQuery OutboxRelay OutboxRelayOptions
    OutboxTransaction PgDatabaseOptions PostgresInboxOptions PostgresSharedStateOptions PostgresTransportOptions
    Queries QueryResult RelayEvent RelayHealth RelayObserver SetAsideMessage Transaction createOutboxRelay migrate
    outbox outboxDefaults outboxRelayDefaults pgDatabase pgDatabaseDefaults postgresInbox postgresSharedState
    postgresTransport postgresTransportDefaults`,
  "dead-letter-office/pglite": `
    Database MigrateOptions Outbox OutboxLag OutboxMessage OutboxOptions OutboxQuery OutboxRelay OutboxRelayOptions
    OutboxTransaction PostgresInboxOptions PostgresSharedStateOptions PostgresTransportOptions Queries QueryResult
    RelayEvent RelayHealth RelayObserver SetAsideMessage Transaction createOutboxRelay migrate outbox outboxDefaults
    outboxRelayDefaults pgliteDatabase postgresInbox postgresSharedState postgresTransport postgresTransportDefaults`,
  "dead-letter-office/kafka": `
    KafkaBrokerAddress KafkaSasl KafkaTransportOptions kafkaTransport kafkaTransportDefaults`,
  "dead-letter-office/rabbitmq": `
    RabbitmqTransportOptions rabbitmqTransport rabbitmqTransportDefaults`,
  "dead-letter-office/opentelemetry": `
    OpenTelemetryOptions openTelemetry openTelemetryDefaults`,
  "dead-letter-office/triage": `
    Category Classification FailureEvidence Fingerprint FingerprintPart RunnerUp SideEffect categories noEvidence`,
  "dead-letter-office/testing": `
    ContractTest EventuallyOptions Exemptions FakeClock FakeHost Fate InboxSubject InboxUnderTest MemoryBroker
    MemoryBrokerOptions MemoryLinkOptions MemoryReceipt MemoryTransportOptions SharedStateSubject SharedStateUnderTest
    TestConsumer TestConsumerOptions Transactions TransportSubject Troubles eventually fakeClock fakeHost
    inboxContract memoryBroker memoryInbox memoryLink memorySharedState memoryTransport sharedStateContract
    testConsumer transportContract troubledLink`,
};

it("has an approved list for every door, and no list for a door that is gone", () => {
  expect(Object.keys(approved).sort()).toEqual([...existingDoors().keys()].sort());
});

it.each([...existingDoors()])("opens %s to the approved names", (door, path) => {
  expect(exportedNames(path)).toEqual((approved[door] ?? "").trim().split(/\s+/));
});
