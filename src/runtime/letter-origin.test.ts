import { hostname } from "node:os";
import { expect, it } from "vitest";
import { z } from "zod";
import { headerText, type Message, makeMessage, textHeader } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import { fakeHost } from "../testing/fake-host.ts";
import { memoryTransport } from "../transports/memory.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import { createConsumer } from "./consumer.ts";

const bodyOf = ({ body }: Message) => new TextDecoder().decode(body);
const text = (message: Message | undefined, name: string) => headerText(message?.headers ?? [], name);

it("says on a dead letter where its message was first, on which machine it failed, and of which schema it is", async () => {
  const host = fakeHost();
  const broker = memoryBroker({ clock: host.clock });
  const consumer = createConsumer({
    ...{ transport: memoryTransport({ broker, host }), queue: "orders", host, schema: z.object({ id: z.int() }) },
    ...{ retry: { maxAttempts: 2, backoff: { strategy: "immediate" }, budget: false } },
    handles: [{ name: "order", versions: ["3"] }],
    handler: async () => {
      throw new Error("no");
    },
  });
  void consumer.start();
  const send = (parts: Parameters<typeof makeMessage>[0]) => broker.send({ name: "orders" }, makeMessage(parts));
  send({ body: '{"id":1}' });
  send({ body: '{"id":2}', headers: { "schema-version": "4" }, properties: [textHeader("type", "order")] });
  send({ body: '{"id":"three"}' });
  send({ body: '{"id":4}', headers: { "dlo-schema": "order@2" } });
  await host.clock.advance(10);
  const letters = broker.messages("orders.dlq").toSorted((one, other) => (bodyOf(one) < bodyOf(other) ? -1 : 1));
  expect(letters.map((letter) => [bodyOf(letter), text(letter, wire.schema)])).toEqual([
    // Of the one version that the handler knows; what its sender says; no version, since it is not what that schema says.
    ['{"id":"three"}', "order"],
    ['{"id":1}', "order@3"],
    ['{"id":2}', "order@4"],
    ['{"id":4}', "order@2"],
  ]);
  expect(letters.map((letter) => text(letter, wire.position))).toEqual(["3", "1", "2", "4"]);
  for (const letter of letters) {
    const consumer = JSON.parse(text(letter, wire.consumer) ?? "") as object;
    expect(consumer).toMatchObject({ host: hostname(), process: String(process.pid) });
  }
});
