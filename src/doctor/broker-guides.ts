import type { Broker } from "../config/broker-names.ts";
import type { BrokerGuide } from "./broker-guide.ts";
import { jobGuides } from "./job-guides.ts";

/** One line a broker. */
export const brokerGuides: Readonly<Record<Broker, BrokerGuide>> = {
  ...jobGuides,
  rabbitmq: {
    product: "RabbitMQ",
    address: "amqp://dlo:PASSWORD@127.0.0.1:5672",
    alsoFor:
      "Celery, and dramatiq and Symfony Messenger where their queues are on RabbitMQ: their dead letters lie there",
    settings: [{ name: "management", label: "Its management API, if it is not at port 15672 of the same host" }],
    draining:
      "Letters leave their queue in RabbitMQ once the ledger has them: its depth goes to 0, and alarms on it go quiet.",
    rights: [
      {
        to: "look",
        needs: "the tag management, and any permissions on the virtual host",
        remedy:
          "rabbitmqctl add_user dlo && rabbitmqctl set_user_tags dlo management && rabbitmqctl set_permissions -p / dlo '^$' '^$' '^$'",
      },
      {
        to: "drain",
        needs: "to read the dead-letter queues, and dlo.reports",
        remedy: String.raw`rabbitmqctl set_permissions -p / dlo '^$' '^$' '\.dlq$|^dlo\.reports$'`,
      },
      {
        to: "send back",
        needs: "to write to the default exchange, and to the exchanges that letters came through",
        remedy: String.raw`rabbitmqctl set_permissions -p / dlo '^$' '^amq\.default$' '\.dlq$|^dlo\.reports$'`,
      },
    ],
  },
  kafka: {
    product: "Kafka",
    address: "kafka://dlo:PASSWORD@127.0.0.1:9092?sasl=scram-sha-512",
    alsoFor: null,
    settings: [],
    draining:
      "Letters stay in their topic until its retention ends. The group dlo-office remembers how far they were read.",
    rights: [
      {
        to: "look",
        needs: "Describe and DescribeConfigs on topics",
        remedy:
          "kafka-acls.sh --bootstrap-server HOST:PORT --add --allow-principal User:dlo --operation Describe --operation DescribeConfigs --topic '*'",
      },
      {
        to: "drain",
        needs: "Read on dead-letter topics and on the group dlo-office, and to make the two retry topics of that group",
        remedy:
          "kafka-acls.sh --bootstrap-server HOST:PORT --add --allow-principal User:dlo --operation Read --topic '*' --group dlo-office && kafka-acls.sh --bootstrap-server HOST:PORT --add --allow-principal User:dlo --operation Create --topic '*'",
      },
      {
        to: "send back",
        needs: "Write on the topics letters came from, and on transactional ids that begin with dlo.",
        remedy:
          "kafka-acls.sh --bootstrap-server HOST:PORT --add --allow-principal User:dlo --operation Write --topic '*' && kafka-acls.sh --bootstrap-server HOST:PORT --add --allow-principal User:dlo --operation Write --transactional-id dlo. --resource-pattern-type prefixed",
      },
    ],
  },
  redis: {
    product: "Redis",
    address: "redis://dlo:PASSWORD@127.0.0.1:6379",
    alsoFor: null,
    settings: [],
    draining:
      "Letters are deleted from their stream once the ledger has them, unless another group reads it too; the group dlo-office is made.",
    rights: [
      {
        to: "look",
        needs: "to read the streams, and four settings",
        remedy: "redis-cli ACL SETUSER dlo on '>PASSWORD' '~*' +@read +@connection +info +time '+config|get'",
      },
      {
        to: "drain",
        needs: "to work on streams as a group, and on keys of ours beside them",
        remedy:
          "redis-cli ACL SETUSER dlo '~dlo:*' +@stream +@sortedset +@hash +@scripting +@transaction +@connection +time +info",
      },
      { to: "send back", needs: "what draining needs", remedy: "redis-cli ACL SETUSER dlo +@stream +@scripting" },
    ],
  },
  nats: {
    product: "NATS, with JetStream",
    address: "nats://dlo:PASSWORD@127.0.0.1:4222",
    alsoFor: null,
    settings: [],
    draining:
      "Letters leave a work queue once the ledger has them, as our own dead-letter queues are; other streams keep them, and the " +
      "consumer dlo-office remembers how far they were read.",
    rights: [
      {
        to: "look",
        needs: "to ask JetStream about streams and consumers",
        remedy: "nsc edit user dlo --allow-pub '$JS.API.STREAM.>,$JS.API.CONSUMER.>' --allow-sub '_INBOX.>'",
      },
      {
        to: "drain",
        needs: "to make consumers and the stream DLO, and to acknowledge",
        remedy: "nsc edit user dlo --allow-pub '$JS.API.>,$JS.ACK.>,dlo.>' --allow-sub '_INBOX.>,dlo.>'",
      },
      {
        to: "send back",
        needs: "to publish on the subjects letters came from",
        remedy: "nsc edit user dlo --allow-pub 'SUBJECT'",
      },
    ],
  },
  sqs: {
    product: "Amazon SQS",
    address: "https://sqs.eu-west-1.amazonaws.com",
    alsoFor: "Celery, where its queues are on SQS: its dead letters lie there",
    settings: [],
    draining:
      "Letters are deleted from their queue once the ledger has them: its depth goes to 0, and alarms on it go quiet.",
    rights: [
      {
        to: "look",
        needs: "to list the queues, and to read their attributes",
        remedy: '{"Effect": "Allow", "Action": ["sqs:ListQueues", "sqs:GetQueueAttributes"], "Resource": "*"}',
      },
      {
        to: "drain",
        needs: "to receive from the dead-letter queues and dlo-reports, and to delete there",
        remedy:
          '{"Effect": "Allow", "Action": ["sqs:GetQueueUrl", "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"], "Resource": ["arn:aws:sqs:*:*:*-dlq*", "arn:aws:sqs:*:*:dlo-reports"]}',
      },
      {
        to: "send back",
        needs: "to send to the queues letters came from",
        remedy:
          '{"Effect": "Allow", "Action": ["sqs:GetQueueUrl", "sqs:SendMessage"], "Resource": "arn:aws:sqs:*:*:*"}',
      },
    ],
  },
  postgres: {
    product: "PostgreSQL, with our own queues",
    address: "postgres://dlo:PASSWORD@127.0.0.1:5432/shop",
    alsoFor: null,
    settings: [{ name: "schema", label: "The schema our tables are in, if it is not dlo" }],
    draining: "Letters leave the table messages once the ledger has them.",
    rights: [
      {
        to: "look",
        needs: "usage of the schema, select on messages",
        remedy: "grant usage on schema dlo to dlo; grant select on dlo.messages to dlo;",
      },
      {
        to: "drain",
        needs: "to change messages",
        remedy: "grant select, insert, update, delete on all tables in schema dlo to dlo;",
      },
      {
        to: "send back",
        needs: "to add messages",
        remedy: "grant usage on all sequences in schema dlo to dlo;",
      },
    ],
  },
};
