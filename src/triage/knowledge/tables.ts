import { amqp091 } from "./amqp091.ts";
import { aws } from "./aws.ts";
import { azure } from "./azure.ts";
import { cassandra } from "./cassandra.ts";
import { cordum } from "./cordum.ts";
import { dotnet } from "./dotnet.ts";
import { elasticsearch } from "./elasticsearch.ts";
import { errno } from "./errno.ts";
import { go } from "./go.ts";
import { grpc } from "./grpc.ts";
import { http } from "./http.ts";
import { ibmmq } from "./ibmmq.ts";
import { java } from "./java.ts";
import { jdbcOther } from "./jdbc-other.ts";
import { kafka } from "./kafka.ts";
import { librdkafka } from "./librdkafka.ts";
import { mongodb } from "./mongodb.ts";
import { mqtt } from "./mqtt.ts";
import { mysql } from "./mysql.ts";
import { nats } from "./nats.ts";
import { node } from "./node.ts";
import { nodeLibs } from "./node-libs.ts";
import { oracle } from "./oracle.ts";
import { paypal } from "./paypal.ts";
import { php } from "./php.ts";
import { postgres } from "./postgres.ts";
import { prisma } from "./prisma.ts";
import { process } from "./process.ts";
import { protocols } from "./protocols.ts";
import { pulsar } from "./pulsar.ts";
import { python } from "./python.ts";
import { redis } from "./redis.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { schemaRegistry } from "./schema-registry.ts";
import { serialization } from "./serialization.ts";
import { smtp } from "./smtp.ts";
import { sqlite } from "./sqlite.ts";
import { sqlserver } from "./sqlserver.ts";
import { sqlstate } from "./sqlstate.ts";
import { stripe } from "./stripe.ts";
import { tls } from "./tls.ts";
import { undici } from "./undici.ts";

/** Every table there is: what codes, classes and texts of known systems mean. */
export const tables: readonly string[] = [
  amqp091,
  aws,
  azure,
  cassandra,
  cordum,
  dotnet,
  elasticsearch,
  errno,
  go,
  grpc,
  http,
  ibmmq,
  java,
  jdbcOther,
  kafka,
  librdkafka,
  mongodb,
  mqtt,
  mysql,
  nats,
  nodeLibs,
  node,
  oracle,
  paypal,
  php,
  postgres,
  prisma,
  process,
  protocols,
  pulsar,
  python,
  redis,
  ruby,
  rust,
  schemaRegistry,
  serialization,
  smtp,
  sqlite,
  sqlserver,
  sqlstate,
  stripe,
  tls,
  undici,
];
