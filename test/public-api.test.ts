import { expect, it } from "vitest";
import { existingDoors } from "./documents/doors.ts";
import { exportedNames } from "./documents/exported-names.ts";

/**
 * What services may import, by door. A name that is missing here was taken away, which is a breaking change; a new one is
 * a promise. Either is a line in CHANGELOG.md.
 */
const approved: Readonly<Record<string, string>> = {
  "dead-letter-office": `
    Address AttemptRecord Backoff BackoffOptions Backpressure BlockedKey BlockedKeys BlockedKeysAdmin BlockedKeysSummary
    Breaker BreakerChange
    BreakerOpen BreakerOptions BreakerPhase BreakerReport BreakerSnapshot BudgetOptions Cancel Capabilities
    CircuitBreakerOptions Classify Clock ConsumeOptions Consumer ConsumerDescription ConsumerEvent ConsumerHealth
    ConsumerOptions DeadLetterOptions DeadLetterReason DeadPlace Decoding Delivery EffectProbe ErrorCode FailureFacts FailureKind
    FailureSummary Gate Guard GuardOptions GuardRetry Handle HandledSchema Handler HandlerContext Header HeaderValue
    HeartbeatReport Host Inbox InboxEntry InboxOptions InboxOutcome Incident Jitter Lane LaneAnswer LaneArrival
    LaneEntry LaneFate LaneFinding LaneOccupant LanePlace LaneQuestion LaneRelease LaneState LaneWeighing Load Log MemoryBroker MemoryTransportOptions Message
    MessageParts NewId Observer OfficeError OfficeReports OfficeReportsOptions Outcome OutcomeReport Park
    PoisonOptions ProbeAnswer ProbeReport ProbedMessage PullLink PullTransportOptions QueueHeartbeat Random Report Reporter RetryBudget RetryCause
    RetryLater RetryOptions RunningAttempt SendOptions SharedDocument SharedState Shortcomings StandardSchema
    StormOptions TakeOptions Taken Transport Turn Unprocessable Verdict WaitRange assessBackpressure backoff
    backoffDefaults breakerDefaults budgetDefaults consumerDefaults createBreaker createBudget createConsumer
    createGuard deadLetterReasons describeWaits errorCodes exponentialBackoff fixedBackoff guardRetryDefaults
    headerText immediateBackoff isBreakerOpen isOfficeError linearBackoff makeMessage memoryBlockedKeys memoryBroker
    memoryInbox memorySharedState memoryTransport neededConcurrency officeReports officeReportsDefaults
    poisonDefaults progressiveBackoff pullTransport pullTransportDefaults queueNames readFailure stagedBackoff
    stormDefaults systemHost textHeader wire wireCaps`,
  "dead-letter-office/postgres": `
    Database MigrateOptions Outbox OutboxLag OutboxMessage OutboxOptions OutboxQuery OutboxRelay OutboxRelayOptions
    OutboxTransaction PgDatabaseOptions PostgresBlockedKeysOptions PostgresInboxOptions PostgresSharedStateOptions
    PostgresTransportOptions Queries QueryResult RelayEvent RelayHealth RelayObserver SetAsideMessage Transaction
    createOutboxRelay migrate outbox outboxDefaults outboxRelayDefaults pgDatabase pgDatabaseDefaults
    postgresBlockedKeys postgresInbox postgresSharedState postgresTransport postgresTransportDefaults`,
  "dead-letter-office/pglite": `
    Database MigrateOptions Outbox OutboxLag OutboxMessage OutboxOptions OutboxQuery OutboxRelay OutboxRelayOptions
    OutboxTransaction PostgresBlockedKeysOptions PostgresInboxOptions PostgresSharedStateOptions
    PostgresTransportOptions Queries QueryResult RelayEvent RelayHealth RelayObserver SetAsideMessage Transaction
    createOutboxRelay migrate outbox outboxDefaults outboxRelayDefaults pgliteDatabase postgresBlockedKeys
    postgresInbox postgresSharedState postgresTransport postgresTransportDefaults`,
  "dead-letter-office/kafka": `
    KafkaBrokerAddress KafkaSasl KafkaTransportOptions kafkaTransport kafkaTransportDefaults`,
  "dead-letter-office/nats": `
    NatsTransportOptions natsTransport natsTransportDefaults`,
  "dead-letter-office/redis": `
    RedisArgument RedisCommands RedisStoreOptions RedisTransportOptions redisInbox redisSharedState redisStoreDefaults redisTransport
    redisTransportDefaults`,
  "dead-letter-office/sqs": `
    BodyStore S3BodiesOptions SqsCredentials SqsTransportOptions s3Bodies s3BodiesDefaults sqsTransport sqsTransportDefaults`,
  "dead-letter-office/rabbitmq": `
    RabbitmqTransportOptions rabbitmqTransport rabbitmqTransportDefaults`,
  "dead-letter-office/opentelemetry": `
    OpenTelemetryOptions openTelemetry openTelemetryDefaults`,
  "dead-letter-office/triage": `
    Accuracy Category Classification FailureEvidence Fingerprint FingerprintPart Judged LabelledFailure Mistake
    RunnerUp SideEffect accuracyOf categories classify fingerprint noEvidence readLabelledFailure`,
  "dead-letter-office/policy": `
    Condition LetterFacts Pattern PlanFacts Policy PolicyChanges PolicyPreview PreviewedLetter ProtocolChange
    Rule RuleChanges SuggestedFrom Suggestion classifyWith comparePolicies factsOf matches noFacts parsePolicy previewPolicy suggestRules suggestionLimits`,
  "dead-letter-office/office": `
    Actor Call DrainProgress DrainRequest DrainTuning InputOf OfficeSettings
    OpenedOffice OperationName OutputOf Role openOffice`,
  "dead-letter-office/testing": `
    BlockedKeysSubject BlockedKeysUnderTest ContractTest EventuallyOptions Exemptions FakeClock FakeHost Fate
    InboxSubject InboxUnderTest MemoryBroker MemoryBrokerOptions MemoryLinkOptions MemoryReceipt MemoryTransportOptions
    SharedStateSubject SharedStateUnderTest TestConsumer TestConsumerOptions Transactions TransportSubject Troubles
    blockedKeysContract eventually fakeClock fakeHost inboxContract memoryBlockedKeys memoryBroker memoryInbox
    memoryLink memorySharedState memoryTransport sharedStateContract testConsumer transportContract troubledLink`,
};

it("has an approved list for every door, and no list for a door that is gone", () => {
  expect(Object.keys(approved).sort()).toEqual([...existingDoors().keys()].sort());
});

it.each([...existingDoors()])("opens %s to the approved names", (door, path) => {
  expect(exportedNames(path)).toEqual((approved[door] ?? "").trim().split(/\s+/));
});
