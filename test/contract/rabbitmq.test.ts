import { describe, it } from "vitest";
import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import { ordering } from "../../src/testing/transport-contract/ordering.ts";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { rabbitmqSubject } from "./rabbitmq-subject.ts";

const always = {
  "keeps timestamps to the millisecond": "AMQP's timestamps are whole seconds; others are refused",
};

/** Order needs a queue with a single active consumer, and sharing needs one without. */
const unordered = Object.fromEntries(
  ordering.map(({ title }) => [title, "the queue was not made for order; tested with `orderedQueues`"]),
);
const alone = "the queue has a single active consumer; tested without `orderedQueues`";
const unshared = Object.fromEntries(
  [
    "takes no more than prefetch messages that are not settled",
    "shares a queue among consumers, each message handed over once",
    "takes nothing while the gate is closed, and goes on when it opens",
    "gives back what it took ahead when the gate closes, at no cost",
    "gives back what it took ahead when it is stopped, at no cost",
  ].map((title) => [title, alone]),
);

describeServer("transport: rabbitmq", noRabbitmq, () => {
  const rabbitmq = useRabbitmq();
  const url = () => rabbitmq.url;
  const exempt = { ...unordered, ...always };
  describe("sharing queues", () => hold(rabbitmqSubject("rabbitmq", url, { exempt })));
  describe("acknowledging each message", () => hold(rabbitmqSubject("rabbitmq", url, { exempt, acknowledge: "each" })));
  describe("keeping order", () =>
    hold(rabbitmqSubject("rabbitmq", url, { exempt: { ...unshared, ...always }, orderedQueues: "all" })));
});

function hold(subject: TransportSubject): void {
  for (const { title, exempt, run } of transportContract(subject)) it.skipIf(exempt).concurrent(title, run);
}
