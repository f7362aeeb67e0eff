/** The door to Amazon SQS: `dead-letter-office/sqs`. Needs the package `@aws-sdk/client-sqs`. */
export type { BodyStore } from "./domain/body-store.ts";
export { type S3BodiesOptions, s3Bodies, s3BodiesDefaults } from "./stores/s3-bodies.ts";
export type { SqsCredentials } from "./transports/sqs/connection.ts";
export { type SqsTransportOptions, sqsTransport, sqsTransportDefaults } from "./transports/sqs/transport.ts";
