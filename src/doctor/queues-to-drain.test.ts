import { expect, it } from "vitest";
import { parseConfig } from "../config/config-file.ts";
import { queuesToDrain } from "./queues-to-drain.ts";

const unused = {} as Parameters<typeof queuesToDrain>[1];

function sourceWith(queues: string) {
  const [source] = parseConfig(
    `version: 1\nsources:\n  - { name: a, broker: rabbitmq, url: "amqp://h", queues: [${queues}] }`,
  ).sources;
  if (source === undefined) throw new Error("The configuration has a source.");
  return source;
}

it("takes a name at its word, and asks nobody", async () => {
  const source = sourceWith("{ match: orders.dlq, mode: drain }, { match: bills.dlq, mode: observe }");
  expect(await queuesToDrain(source, unused)).toEqual(["orders.dlq"]);
});

it("goes by the first match", async () => {
  const source = sourceWith(
    "{ match: 'orders.*', mode: observe }, { match: orders.dlq, mode: drain }, { match: b.dlq, mode: drain }",
  );
  expect(await queuesToDrain(source, unused)).toEqual(["b.dlq"]);
});

it("drains nothing that nobody asked to drain", async () => {
  expect(await queuesToDrain(sourceWith("{ match: '*.dlq' }"), unused)).toEqual([]);
  expect(await queuesToDrain(sourceWith(""), unused)).toEqual([]);
});
