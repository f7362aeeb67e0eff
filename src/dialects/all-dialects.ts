import { azureServiceBus } from "./cloud/azure-service-bus.ts";
import { eventbridgeClassic } from "./cloud/eventbridge-classic.ts";
import { eventbridgePipes } from "./cloud/eventbridge-pipes.ts";
import { eventbridgeScheduler } from "./cloud/eventbridge-scheduler.ts";
import { eventbridgeV2 } from "./cloud/eventbridge-v2.ts";
import { gcpPubsub } from "./cloud/gcp-pubsub.ts";
import { lambdaDestination } from "./cloud/lambda-destination.ts";
import { lambdaDlq } from "./cloud/lambda-dlq.ts";
import { natsAdvisory } from "./cloud/nats-advisory.ts";
import { pulsar } from "./cloud/pulsar.ts";
import { snsSubscription } from "./cloud/sns-subscription.ts";
import { sqsNative } from "./cloud/sqs-native.ts";
import { dapr } from "./dapr.ts";
import type { Dialect } from "./dialect.ts";
import { brighter } from "./dotnet/brighter.ts";
import { easynetq } from "./dotnet/easynetq.ts";
import { masstransit } from "./dotnet/masstransit.ts";
import { nservicebus } from "./dotnet/nservicebus.ts";
import { rebus } from "./dotnet/rebus.ts";
import { wolverine } from "./dotnet/wolverine.ts";
import { bodyEnvelope } from "./home-made/body-envelope.ts";
import { arq } from "./jobs/arq.ts";
import { asynq } from "./jobs/asynq.ts";
import { bullmq } from "./jobs/bullmq.ts";
import { cordum } from "./jobs/cordum.ts";
import { delayedJob } from "./jobs/delayed-job.ts";
import { graphileWorker } from "./jobs/graphile-worker.ts";
import { huey } from "./jobs/huey.ts";
import { laravel } from "./jobs/laravel.ts";
import { machinery } from "./jobs/machinery.ts";
import { oban } from "./jobs/oban.ts";
import { pgBoss } from "./jobs/pg-boss.ts";
import { procrastinate } from "./jobs/procrastinate.ts";
import { river } from "./jobs/river.ts";
import { rq } from "./jobs/rq.ts";
import { sidekiq } from "./jobs/sidekiq.ts";
import { kafkaConnect } from "./kafka/kafka-connect.ts";
import { kafkaShareGroup } from "./kafka/kafka-share-group.ts";
import { kafkaStreams } from "./kafka/kafka-streams.ts";
import { karafka } from "./kafka/karafka.ts";
import { smallryeKafka } from "./kafka/smallrye-kafka.ts";
import { springCloudStreamKafka } from "./kafka/spring-cloud-stream-kafka.ts";
import { springKafkaDlt } from "./kafka/spring-kafka-dlt.ts";
import { springKafkaRetry } from "./kafka/spring-kafka-retry.ts";
import { uberKafka } from "./kafka/uber-kafka.ts";
import { watermill } from "./kafka/watermill.ts";
import { office } from "./office.ts";
import { celery } from "./rabbitmq/celery.ts";
import { dramatiq } from "./rabbitmq/dramatiq.ts";
import { rabbitmqDlx } from "./rabbitmq/rabbitmq-dlx.ts";
import { rascal } from "./rabbitmq/rascal.ts";
import { springAmqpRepublish } from "./rabbitmq/spring-amqp-republish.ts";
import { symfonyMessenger } from "./rabbitmq/symfony-messenger.ts";

/** What libraries write, in the order in which they are believed where two say different things. */
export const libraries: readonly Dialect[] = [
  office,
  kafkaShareGroup,
  kafkaStreams,
  kafkaConnect,
  springKafkaRetry,
  springKafkaDlt,
  springCloudStreamKafka,
  smallryeKafka,
  karafka,
  wolverine,
  watermill,
  uberKafka,
  masstransit,
  nservicebus,
  rebus,
  easynetq,
  brighter,
  springAmqpRepublish,
  rascal,
  celery,
  dramatiq,
  symfonyMessenger,
  eventbridgeV2,
  eventbridgeScheduler,
  eventbridgeClassic,
  lambdaDlq,
  lambdaDestination,
  eventbridgePipes,
  snsSubscription,
  bullmq,
  sidekiq,
  pgBoss,
  oban,
  river,
  laravel,
  rq,
  arq,
  huey,
  asynq,
  graphileWorker,
  procrastinate,
  delayedJob,
  machinery,
  cordum,
  dapr,
  bodyEnvelope,
];

/** What brokers write by themselves: they know where a message was, and nothing of why. */
export const brokers: readonly Dialect[] = [rabbitmqDlx, sqsNative, azureServiceBus, gcpPubsub, pulsar, natsAdvisory];
