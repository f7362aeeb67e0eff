import { noSqs } from "../servers/elasticmq.ts";
import { noKafka } from "../servers/kafka.ts";
import { noNats } from "../servers/nats.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { noRedis } from "../servers/redis.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { useNats } from "../servers/use-nats.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { useRedis } from "../servers/use-redis.ts";
import { useSqs } from "../servers/use-sqs.ts";
import type { UsedBroker } from "./brokers.ts";

interface Place {
  readonly name: string;
  readonly missing?: string | undefined;
  /** Its broker tells of each send whether it happened. */
  readonly tells: boolean;
  /** The largest body it takes. @default any */
  readonly mostBytes?: number;
  readonly use: () => () => UsedBroker;
}

/** The brokers that letters are sent back to, each started where a suite uses it. */
export const places: readonly Place[] = [
  { name: "PostgreSQL", tells: true, use: () => () => ({ kind: "postgres" }) },
  {
    ...{ name: "RabbitMQ", missing: noRabbitmq, tells: false },
    use() {
      const rabbitmq = useRabbitmq();
      return () => ({ kind: "rabbitmq", url: rabbitmq.url });
    },
  },
  {
    ...{ name: "Redis", missing: noRedis, tells: true },
    use() {
      const redis = useRedis();
      return () => ({ kind: "redis", url: redis.url });
    },
  },
  {
    ...{ name: "NATS", missing: noNats, tells: true },
    use() {
      const nats = useNats();
      return () => ({ kind: "nats", url: nats.url });
    },
  },
  {
    // Of what SQS takes by now, ElasticMQ takes a quarter.
    ...{ name: "SQS", missing: noSqs, tells: false, mostBytes: 200_000 },
    use() {
      const sqs = useSqs();
      return () => ({ kind: "sqs", endpoint: sqs.endpoint });
    },
  },
  {
    ...{ name: "Kafka", missing: noKafka, tells: true },
    use() {
      const kafka = useKafka();
      return () => ({ kind: "kafka", brokers: kafka.brokers });
    },
  },
];
