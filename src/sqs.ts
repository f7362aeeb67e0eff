/** The door to Amazon SQS: `dead-letter-office/sqs`. Needs the package `@aws-sdk/client-sqs`. */
export type { SqsCredentials } from "./transports/sqs/connection.ts";
export { type SqsTransportOptions, sqsTransport, sqsTransportDefaults } from "./transports/sqs/transport.ts";
