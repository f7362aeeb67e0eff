import { describe, it } from "vitest";
import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noSqs } from "../servers/elasticmq.ts";
import { useSqs } from "../servers/use-sqs.ts";
import { sqsSubject } from "./sqs-subject.ts";

describeServer("transport: sqs", noSqs, () => {
  const server = useSqs();
  const endpoint = () => server.endpoint;
  describe("standard queues", () => hold(sqsSubject(endpoint, { fifo: false })));
  describe("FIFO queues", () => hold(sqsSubject(endpoint, { fifo: true })));
});

function hold(subject: TransportSubject): void {
  for (const { title, exempt, run } of transportContract(subject)) it.skipIf(exempt).concurrent(title, run);
}
