import { expect, it } from "vitest";
import { done, makeMessage, textHeader } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { hastyRabbitmqTransport } from "../../../src/transports/rabbitmq/transport.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noRabbitmq } from "../../servers/rabbitmq.ts";
import { useRabbitmq } from "../../servers/use-rabbitmq.ts";
import { closing, consume, numbered, openClient, openTransport, ownQueue } from "./workbench.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const halfDay = () => Math.floor(Date.now() / 43_200_000);

describeServer("RabbitMQ's queues", noRabbitmq, () => {
  const rabbitmq = useRabbitmq();

  it("has emptied a delay queue before it expires and takes its messages along", async () => {
    const queue = ownQueue();
    // A delay queue goes away 16 s after it was made, or up to 5 s later: RabbitMQ looks that often. Whatever were still sent
    // to the first one towards the end would go with it.
    const transport = closing(hastyRabbitmqTransport({ url: rabbitmq.url }, { bucketIdleMs: 10_000 }));
    const received = consume(transport, queue);
    const bodies = numbered(20);
    for (const body of bodies) {
      await transport.send(queue, makeMessage({ body }), { delayMs: 6_000 });
      await pause(1_000);
    }
    await received.count(bodies.length);
    expect(received.bodies()).toEqual(bodies);
  });

  it("makes the queue that a delayed message is for, before its time comes", async () => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url);
    await transport.send(queue, makeMessage({ body: "early" }), { delayMs: 10 });
    // Finding no queue then, RabbitMQ would look again in three minutes.
    await pause(1_000);
    const received = consume(transport, queue);
    await received.count(1);
    expect(received.bodies()).toEqual(["early"]);
  });

  it("makes a delay queue again that is gone", async () => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url);
    await transport.send(queue, makeMessage({ body: "first" }), { delayMs: 100 });
    const received = consume(transport, queue);
    await received.count(1);
    const channel = await (await openClient(rabbitmq.url)).createChannel();
    for (const period of [0, 1]) await channel.deleteQueue(`${queue.name}.retry.100ms.${halfDay() + period}`);
    await transport.send(queue, makeMessage({ body: "second" }), { delayMs: 100 });
    await received.count(2);
    expect(received.bodies()).toEqual(["first", "second"]);
  });

  it("makes a queue again that was deleted under a consumer", async () => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url);
    const received = consume(transport, queue);
    await transport.send(queue, makeMessage({ body: "before" }));
    await received.count(1);
    const channel = await (await openClient(rabbitmq.url)).createChannel();
    await channel.deleteQueue(queue.name);
    await received.told("connection-restored");
    await transport.send(queue, makeMessage({ body: "after" }));
    await received.count(2);
    expect(received.kinds()).toEqual(["connection-lost", "connection-restored"]);
  });

  it("gives a message back as often as it takes", async () => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url);
    await transport.send(queue, makeMessage({ body: "x" }));
    const received = consume(
      transport,
      queue,
      async () => {
        if (received.deliveries.length <= 25) throw new Error("nobody knows");
        return done;
      },
      { returnDelayMs: 5 },
    );
    await received.count(26);
    expect(received.deliveries.map(({ deliveryCount }) => deliveryCount)).toEqual(
      Array.from({ length: 26 }, (_, n) => n + 1),
    );
    expect(received.deliveries.map(({ redelivered }) => redelivered).indexOf(true)).toBe(1);
  });

  it("keeps a message that should have expired, once it was delivered", async () => {
    const queue = ownQueue();
    const letters = { name: `${queue.name}.dlq` };
    const transport = openTransport(rabbitmq.url);
    const expiring = makeMessage({
      body: "x",
      properties: [textHeader("expiration", "500"), textHeader("message-id", "m")],
    });
    await transport.send(queue, expiring);
    consume(transport, queue, async ({ message }) => ({ kind: "dead-letter", to: letters, message }));
    const channel = await (await openClient(rabbitmq.url)).createChannel();
    await eventually(async () => (await channel.checkQueue(letters.name)).messageCount === 1);
    await pause(800);
    const received = consume(transport, letters);
    await received.count(1);
    expect(received.deliveries[0]?.message.properties).toEqual([textHeader("message-id", "m")]);
  });

  it("gives the broker's own dead letters a queue", async () => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url);
    await transport.send(queue, makeMessage({ body: "expired", properties: [textHeader("expiration", "50")] }));
    const received = consume(transport, { name: `${queue.name}.dlq` });
    await received.count(1);
    expect(received.deliveries[0]?.message.headers.map(({ name }) => name)).toContain("x-death");
  });

  it("sends neither copies nor borrowed names onward", async () => {
    const [queue, other] = [ownQueue(), ownQueue()];
    const transport = openTransport(rabbitmq.url);
    await transport.send(other, makeMessage({ body: "makes the queue" }));
    await transport.send(queue, makeMessage({ body: "makes this one" }));
    const channel = await (await openClient(rabbitmq.url)).createConfirmChannel();
    channel.sendToQueue(queue.name, Buffer.from("x"), { CC: other.name, userId: "guest" });
    await channel.waitForConfirms();
    const received = consume(transport, queue, async ({ message }) => {
      return received.deliveries.length < 5 ? { kind: "retry", delayMs: 0, message } : done;
    });
    await received.count(5);
    const copies = consume(transport, other);
    await copies.count(2);
    await pause(200);
    expect(copies.bodies().sort()).toEqual(["makes the queue", "x"]);
  });

  it("refuses order on a queue that cannot keep it, and says what to do", async () => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url);
    await transport.send(queue, makeMessage({ body: "x", key: "k" }));
    const refused = consume(transport, queue, undefined, { order: "key" });
    await expect(refused.over).rejects.toThrow(/x-single-active-consumer.*orderedQueues/);
  });

  it("hands an ordered queue over in order when a consumer stops", async () => {
    const queue = ownQueue();
    const options = { orderedQueues: [queue.name] };
    const [one, other] = [openTransport(rabbitmq.url, options), openTransport(rabbitmq.url, options)];
    const bodies = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));
    for (const body of bodies) await one.send(queue, makeMessage({ body, key: Number(body) % 2 ? "odd" : "even" }));
    const seen: string[] = [];
    const handle = async ({ message }: { message: { body: Uint8Array } }) => {
      await pause(10);
      seen.push(Buffer.from(message.body).toString());
      return done;
    };
    const ordered = { order: "key", concurrency: 4, prefetch: 20 } as const;
    const first = consume(one, queue, handle, ordered);
    await first.count(10);
    consume(other, queue, handle, ordered);
    await first.stop();
    await eventually(() => seen.length >= bodies.length, { withinMs: 120_000 });
    for (const parity of [0, 1]) {
      const lane = seen.filter((body) => Number(body) % 2 === parity);
      expect(lane).toEqual(bodies.filter((body) => Number(body) % 2 === parity));
    }
  });
});
