import { pgDatabaseDefaults } from "../../src/databases/pg.ts";
import { outboxDefaults } from "../../src/outbox/outbox.ts";
import { outboxRelayDefaults } from "../../src/outbox/relay-options.ts";
import { backoffDefaults } from "../../src/policies/backoff.ts";
import { ruleDefaults } from "../../src/policies/breaker-rules.ts";
import { budgetDefaults } from "../../src/policies/budget.ts";
import { guardRetryDefaults } from "../../src/policies/guard.ts";
import { poisonDefaults } from "../../src/policies/poison.ts";
import { stormDefaults } from "../../src/policies/storm.ts";
import { officeReportsDefaults } from "../../src/reports/office-reports.ts";
import { breakerDefaults } from "../../src/runtime/breaker.ts";
import { consumerDefaults } from "../../src/runtime/consumer-options.ts";
import { redisStoreDefaults } from "../../src/stores/redis-store.ts";
import { s3BodiesDefaults } from "../../src/stores/s3-bodies.ts";
import { openTelemetryDefaults } from "../../src/telemetry/opentelemetry.ts";
import { kafkaTransportDefaults } from "../../src/transports/kafka/transport.ts";
import { natsTransportDefaults } from "../../src/transports/nats/transport.ts";
import { postgresTransportDefaults } from "../../src/transports/postgres/transport.ts";
import { pullTransportDefaults } from "../../src/transports/pull-transport.ts";
import { rabbitmqTransportDefaults } from "../../src/transports/rabbitmq/options.ts";
import { redisTransportDefaults } from "../../src/transports/redis/transport.ts";
import { sqsTransportDefaults } from "../../src/transports/sqs/transport.ts";

/** A table of options: what it is headed by, where its options are declared, and the defaults the code itself uses. */
export interface OptionSection {
  readonly title: string;
  /** What these options are handed to, or are part of. */
  readonly about: string;
  readonly declared: readonly { readonly path: string; readonly type: string }[];
  readonly defaults?: object;
}

const at = (path: string, ...types: readonly string[]) => types.map((type) => ({ path: `src/${path}`, type }));

/** Every type of options that a door exports is in one of these; test/docs.test.ts sees to it. */
export const optionSections: readonly OptionSection[] = [
  {
    title: "ConsumerOptions",
    about: "`createConsumer(options)` of `dead-letter-office`.",
    declared: at("runtime/consumer-options.ts", "ConsumerOptions"),
    defaults: consumerDefaults,
  },
  {
    title: "RetryOptions",
    about: "`retry` of a consumer.",
    declared: at("runtime/consumer-options.ts", "RetryOptions"),
    defaults: consumerDefaults,
  },
  {
    title: "InboxOptions",
    about: "`inbox` of a consumer.",
    declared: at("runtime/consumer-options.ts", "InboxOptions"),
  },
  {
    title: "DeadLetterOptions",
    about: "`deadLetter` of a consumer.",
    declared: at("runtime/consumer-options.ts", "DeadLetterOptions"),
    defaults: consumerDefaults,
  },
  {
    title: "PoisonOptions",
    about: "`poison` of a consumer.",
    declared: at("policies/poison.ts", "PoisonOptions"),
    defaults: poisonDefaults,
  },
  {
    title: "StormOptions",
    about: "`storm` of a consumer.",
    declared: at("policies/storm.ts", "StormOptions"),
    defaults: stormDefaults,
  },
  {
    title: "BudgetOptions",
    about: "`retry.budget` of a consumer, and `createBudget(options)`.",
    declared: at("policies/budget.ts", "BudgetOptions"),
    defaults: budgetDefaults,
  },
  {
    title: "BreakerOptions",
    about: "`breaker` of a consumer, and `createBreaker(options)`.",
    declared: [
      ...at("policies/circuit-breaker.ts", "CircuitBreakerOptions"),
      ...at("runtime/breaker.ts", "BreakerOptions"),
    ],
    defaults: breakerDefaults,
  },
  {
    title: "ConsecutiveRule",
    about: '`rule` of a breaker with `kind: "consecutive"`.',
    declared: at("policies/breaker-rules.ts", "ConsecutiveRule"),
    defaults: ruleDefaults.consecutive,
  },
  {
    title: "RateRule",
    about: '`rule` of a breaker with `kind: "rate"`.',
    declared: at("policies/breaker-rules.ts", "RateRule"),
    defaults: ruleDefaults.rate,
  },
  ...backoffSections(),
  {
    title: "GuardOptions",
    about: "`createGuard(options)` of `dead-letter-office`.",
    declared: at("policies/guard.ts", "GuardOptions"),
  },
  {
    title: "GuardRetry",
    about: "`retry` of a guard.",
    declared: at("policies/guard.ts", "GuardRetry"),
    defaults: guardRetryDefaults,
  },
  {
    title: "Load",
    about: "`neededConcurrency(load)` and `assessBackpressure(load, …)`.",
    declared: at("policies/backpressure.ts", "Load"),
  },
  {
    title: "MemoryTransportOptions",
    about: "`memoryTransport(options)` of `dead-letter-office` and `/testing`.",
    declared: at("transports/memory.ts", "MemoryTransportOptions"),
  },
  {
    title: "MemoryBrokerOptions",
    about: "`memoryBroker(options)` of `dead-letter-office` and `/testing`.",
    declared: at("transports/memory-broker.ts", "MemoryBrokerOptions"),
  },
  {
    title: "MemoryInboxOptions",
    about: "`memoryInbox(options)` of `dead-letter-office` and `/testing`.",
    declared: at("stores/memory-inbox.ts", "MemoryInboxOptions"),
  },
  {
    title: "PostgresTransportOptions",
    about: "`postgresTransport(options)` of `/postgres` and `/pglite`.",
    declared: at("transports/postgres/transport.ts", "PostgresTransportOptions"),
    defaults: postgresTransportDefaults,
  },
  {
    title: "RabbitmqTransportOptions",
    about: "`rabbitmqTransport(options)` of `/rabbitmq`.",
    declared: at("transports/rabbitmq/options.ts", "RabbitmqTransportOptions"),
    defaults: rabbitmqTransportDefaults,
  },
  {
    title: "KafkaTransportOptions",
    about: "`kafkaTransport(options)` of `/kafka`.",
    declared: at("transports/kafka/transport.ts", "KafkaTransportOptions"),
    defaults: kafkaTransportDefaults,
  },
  {
    title: "RedisTransportOptions",
    about: "`redisTransport(options)` of `/redis`.",
    declared: at("transports/redis/transport.ts", "RedisTransportOptions"),
    defaults: redisTransportDefaults,
  },
  {
    title: "NatsTransportOptions",
    about: "`natsTransport(options)` of `/nats`.",
    declared: at("transports/nats/transport.ts", "NatsTransportOptions"),
    defaults: natsTransportDefaults,
  },
  {
    title: "SqsTransportOptions",
    about: "`sqsTransport(options)` of `/sqs`.",
    declared: at("transports/sqs/transport.ts", "SqsTransportOptions"),
    defaults: sqsTransportDefaults,
  },
  {
    title: "S3BodiesOptions",
    about: "`s3Bodies(options)` of `/sqs`.",
    declared: at("stores/s3-bodies.ts", "S3BodiesOptions"),
    defaults: s3BodiesDefaults,
  },
  {
    title: "RedisStoreOptions",
    about: "`redisInbox(options)` and `redisSharedState(options)` of `/redis`.",
    declared: at("stores/redis-store.ts", "RedisStoreOptions"),
    defaults: redisStoreDefaults,
  },
  {
    title: "PostgresBlockedKeysOptions",
    about: "`postgresBlockedKeys(options)` of `/postgres` and `/pglite`.",
    declared: at("stores/postgres-blocked-keys.ts", "PostgresBlockedKeysOptions"),
  },
  {
    title: "PostgresInboxOptions",
    about: "`postgresInbox(options)` of `/postgres` and `/pglite`.",
    declared: at("stores/postgres-inbox.ts", "PostgresInboxOptions"),
  },
  {
    title: "PostgresSharedStateOptions",
    about: "`postgresSharedState(options)` of `/postgres` and `/pglite`.",
    declared: at("stores/postgres-shared-state.ts", "PostgresSharedStateOptions"),
  },
  {
    title: "OutboxOptions",
    about: "`outbox(options)` of `/postgres` and `/pglite`.",
    declared: at("outbox/outbox.ts", "OutboxOptions"),
    defaults: outboxDefaults,
  },
  {
    title: "OutboxRelayOptions",
    about: "`createOutboxRelay(options)` of `/postgres` and `/pglite`.",
    declared: at("outbox/relay-options.ts", "OutboxRelayOptions"),
    defaults: outboxRelayDefaults,
  },
  {
    title: "PgDatabaseOptions",
    about: "`pgDatabase(pool, options)` of `/postgres`.",
    declared: at("databases/pg.ts", "PgDatabaseOptions"),
    defaults: pgDatabaseDefaults,
  },
  {
    title: "MigrateOptions",
    about: "`migrate(options)` of `/postgres` and `/pglite`.",
    declared: at("schema/migrate.ts", "MigrateOptions"),
  },
  {
    title: "OfficeReportsOptions",
    about: "`officeReports(options)`.",
    declared: at("reports/office-reports.ts", "OfficeReportsOptions"),
    defaults: officeReportsDefaults,
  },
  {
    title: "OpenTelemetryOptions",
    about: "`openTelemetry(options)` of `/opentelemetry`.",
    declared: at("telemetry/opentelemetry.ts", "OpenTelemetryOptions"),
    defaults: openTelemetryDefaults,
  },
  {
    title: "TestConsumerOptions",
    about:
      "`testConsumer(options)` of `/testing`. Beside these it takes every option of a consumer but `transport` and `host`.",
    declared: at("testing/test-consumer.ts", "TestConsumerOptions"),
  },
  {
    title: "EventuallyOptions",
    about: "`eventually(condition, options)` of `/testing`.",
    declared: at("testing/eventually.ts", "EventuallyOptions"),
  },
  {
    title: "MemoryLinkOptions",
    about: "`memoryLink(broker, options)` of `/testing`.",
    declared: at("transports/memory-link.ts", "MemoryLinkOptions"),
  },
  {
    title: "PullTransportOptions",
    about: "`pullTransport(link, options)` of `dead-letter-office`.",
    declared: at("transports/pull-transport.ts", "PullTransportOptions"),
    defaults: pullTransportDefaults,
  },
  {
    title: "SendOptions",
    about: "`transport.send(to, message, options)`.",
    declared: at("transports/transport.ts", "SendOptions"),
  },
  {
    title: "ConsumeOptions",
    about: "What a consumer hands to `transport.consume(from, handle, options)`.",
    declared: at("transports/transport.ts", "ConsumeOptions"),
  },
  {
    title: "TakeOptions",
    about: "What a pull transport hands to `link.take(from, max, options)`.",
    declared: at("transports/pull-link.ts", "TakeOptions"),
  },
  {
    title: "TransportSubject",
    about: "`transportContract(subject)` of `/testing`.",
    declared: at("testing/transport-contract/bench.ts", "TransportSubject"),
  },
];

/** `BackoffOptions` is one of these, told apart by `strategy`; "immediate" has no options. */
function backoffSections(): OptionSection[] {
  const { immediate, ...strategies } = backoffDefaults;
  return Object.entries(strategies).map(([name, defaults]) => {
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}Backoff`;
    return {
      title,
      about: `\`retry.backoff\` with \`strategy: "${name}"\`, and \`${name}Backoff(options)\`.`,
      declared: at("policies/backoff.ts", title),
      defaults,
    };
  });
}
