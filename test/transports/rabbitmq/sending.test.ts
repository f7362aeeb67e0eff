import type { ChannelModel } from "amqplib";
import { expect, it } from "vitest";
import { isOfficeError } from "../../../src/domain/errors.ts";
import { hasCode } from "../../../src/domain/has-code.ts";
import { done, type Header, makeMessage, textHeader } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { decodeFieldTable } from "../../../src/transports/rabbitmq/field-table.ts";
import { decodeProperties } from "../../../src/transports/rabbitmq/properties.ts";
import { passPropertiesAsBytes } from "../../../src/transports/rabbitmq/raw-frames.ts";
import { routingRabbitmqTransport } from "../../../src/transports/rabbitmq/transport.ts";
import { directRequester, exclusiveRequester } from "../../contract/rabbitmq-subject.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noRabbitmq } from "../../servers/rabbitmq.ts";
import { useRabbitmq } from "../../servers/use-rabbitmq.ts";
import { closing, consume, openClient, openTransport, ownQueue } from "./workbench.ts";

/** Also what is exclusively somebody else's. */
async function isThere(model: ChannelModel, queue: string): Promise<boolean> {
  const channel = await model.createChannel();
  channel.on("error", () => {});
  return channel.checkQueue(queue).then(
    () => true,
    (error: unknown) => !hasCode(error, 404),
  );
}

const code = (error: unknown) => (isOfficeError(error) ? error.code : `not ours: ${error}`);

describeServer("sending to RabbitMQ", noRabbitmq, () => {
  const rabbitmq = useRabbitmq();

  it("fails all that was on its way to a queue that does not exist, and nothing else", async () => {
    const [existing, missing] = [ownQueue(), ownQueue()];
    await openTransport(rabbitmq.url).send(existing, makeMessage({ body: "makes the queue" }));
    const transport = openTransport(rabbitmq.url, { topology: "leave" });
    const targets = [missing, existing, missing, existing, missing];
    const outcomes = await Promise.allSettled(targets.map((to) => transport.send(to, makeMessage({ body: "x" }))));
    expect(outcomes.map((outcome) => (outcome.status === "rejected" ? code(outcome.reason) : "sent"))).toEqual(
      targets.map((to) => (to === missing ? "QUEUE_NOT_FOUND" : "sent")),
    );
  });

  it("sends by an exchange what a queue there takes, and refuses the rest without losing anything", async () => {
    const [queue, exchange] = [ownQueue(), `shop-${crypto.randomUUID()}`];
    const channel = await (await openClient(rabbitmq.url)).createChannel();
    await channel.assertQueue(queue.name);
    await channel.assertExchange(exchange, "direct");
    await channel.bindQueue(queue.name, exchange, "created");
    const transport = routingRabbitmqTransport({ url: rabbitmq.url, topology: "check" });
    closing(transport);
    const send = (name: string, key: string) =>
      transport.sendVia({ exchange: name, key }, makeMessage({ body: key, headers: { to: key } }));
    const sends = [
      send(exchange, "created"),
      send(exchange, "gone"),
      send("no-such", "created"),
      send(exchange, "created"),
    ];
    const outcomes = await Promise.allSettled(sends);
    expect(outcomes.map((outcome) => (outcome.status === "rejected" ? code(outcome.reason) : "sent"))).toEqual([
      ...["sent", "QUEUE_NOT_FOUND", "QUEUE_NOT_FOUND", "sent"],
    ]);
    await expect(send(exchange, "gone")).rejects.toThrow(
      `No queue is bound to the exchange ${exchange} for the key gone`,
    );
    const received = consume(transport, queue);
    await received.count(2);
    expect(received.bodies()).toEqual(["created", "created"]);
  });

  it.each(["make", "check", "leave"] as const)(
    "answers a requester once at its own address, and says when an exclusive one is gone (topology: %s)",
    async (topology) => {
      const transport = openTransport(rabbitmq.url, { topology });
      const own = `answers-${crypto.randomUUID()}`;
      const requesters = [
        await directRequester(rabbitmq.url),
        await exclusiveRequester(rabbitmq.url),
        await exclusiveRequester(rabbitmq.url, own),
      ] as const;
      for (const { address, answers } of requesters) {
        for (const body of ["first", "second"]) await transport.send(address, makeMessage({ body }));
        await eventually(() => answers().includes("second"));
        expect(answers()).toEqual(["first", "second"]);
      }
      for (const requester of requesters) await requester.leave();
      const [direct, ...exclusive] = requesters;
      // RabbitMQ says nothing of whether anybody still waits there.
      await transport.send(direct.address, makeMessage({ body: "late" }));
      const admin = await openClient(rabbitmq.url);
      for (const { address } of exclusive) {
        // Its queue goes a moment after its connection.
        await eventually(async () => expect(await isThere(admin, address.name)).toBe(false));
        for (let sends = 0; sends < 2; sends++) {
          const late = transport.send(address, makeMessage({ body: "late" }));
          await expect(late).rejects.toMatchObject({ code: "QUEUE_NOT_FOUND", details: { queue: address.name } });
        }
        expect(await isThere(admin, address.name)).toBe(false);
      }
    },
  );

  it("refuses to let an answer wait that RabbitMQ would drop when its time comes", async () => {
    const { address, leave } = await directRequester(rabbitmq.url);
    const transport = openTransport(rabbitmq.url);
    const sending = transport.send(address, makeMessage({ body: "x" }), { delayMs: 10 });
    await expect(sending).rejects.toMatchObject({ code: "INVALID_OPTION" });
    await leave();
  });

  it("names the queue that is missing, and the way out", async () => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url, { topology: "check" });
    await expect(transport.send(queue, makeMessage({ body: "x" }))).rejects.toThrow(
      `RabbitMQ has no queue ${queue.name}. Make it, or let the transport do so with \`topology: "make"\`.`,
    );
    await expect(transport.send(queue, makeMessage({ body: "x" }), { delayMs: 10_000 })).rejects.toThrow(
      new RegExp(
        `no queue ${queue.name}.retry.10s.* Make it with x-message-ttl 10000, dead-lettering to ${queue.name}`,
      ),
    );
  });

  it.each(["check", "leave"] as const)("consumes from no queue that does not exist (%s)", async (topology) => {
    const refused = consume(openTransport(rabbitmq.url, { topology }), ownQueue());
    expect(code(await refused.over.catch((error: unknown) => error))).toBe("QUEUE_NOT_FOUND");
  });

  it("uses the queues that somebody else made, and the delays he made queues for", async () => {
    const queue = ownQueue();
    const channel = await (await openClient(rabbitmq.url)).createChannel();
    await channel.assertQueue(queue.name);
    const delayed = { messageTtl: 100, deadLetterExchange: "", deadLetterRoutingKey: queue.name };
    await channel.assertQueue(`${queue.name}.retry.100ms`, delayed);
    const transport = openTransport(rabbitmq.url, { topology: "check", delaysMs: [100] });
    await transport.send(queue, makeMessage({ body: "x" }));
    const received = consume(transport, queue, async ({ message }) =>
      received.deliveries.length < 3 ? { kind: "retry", delayMs: 60_000, message } : done,
    );
    await received.count(3);
    expect(received.bodies()).toEqual(["x", "x", "x"]);
  });

  it("carries headers beyond amqplib's 64 KiB, up to the broker's frame", async () => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url);
    const stack = makeMessage({ body: "x", headers: { stack: "x".repeat(111_072) } });
    await transport.send(queue, stack);
    const tooLarge = makeMessage({ body: "x", headers: { stack: "x".repeat(131_072) } });
    expect(code(await transport.send(queue, tooLarge).catch((error: unknown) => error))).toBe("MESSAGE_TOO_LARGE");
    const received = consume(transport, queue);
    await received.count(1);
    expect(received.deliveries[0]?.message.headers).toEqual(stack.headers);
  });

  it("sends on what others sent, to the last bit", async () => {
    const queue = ownQueue();
    const letters = { name: `${queue.name}.dlq` };
    const transport = openTransport(rabbitmq.url);
    consume(transport, queue, async ({ message, redelivered }) => {
      const isFirst = !redelivered && !message.headers.some(({ name }) => name === "dlo-attempt");
      const headers = [...message.headers, textHeader("dlo-attempt", "1")];
      return isFirst
        ? { kind: "retry", delayMs: 50, message: { ...message, headers } }
        : { kind: "dead-letter", to: letters, message };
    });
    await transport.send(queue, makeMessage({ body: "makes the queues" }));
    const model = await openClient(rabbitmq.url);
    passPropertiesAsBytes(model.connection);
    const channel = await model.createConfirmChannel();
    channel.sendToQueue(queue.name, Buffer.from("x"), { headers: foreignHeaders, timestamp: 1_767_225_600 });
    await channel.waitForConfirms();
    const received: Buffer[] = [];
    await channel.consume(letters.name, (letter) => {
      if (letter?.content.toString() === "x") received.push(letter.properties as unknown as Buffer);
    });
    await expect.poll(() => received.length, { timeout: 120_000 }).toBe(1);
    const { properties, table } = decodeProperties(received[0] as Buffer);
    expect(properties).toEqual([{ name: "timestamp", value: { type: "timestamp", value: 1_767_225_600_000n } }]);
    expect(tagsOf(table)).toEqual({
      b: "b",
      B: "B",
      s: "s",
      u: "u",
      I: "I",
      i: "i",
      l: "l",
      f: "f",
      d: "d",
      D: "D",
      T: "T",
    });
  });

  it("says that the broker is away, without its password", async () => {
    const transport = openTransport("amqp://guest:guest@127.0.0.1:1");
    const error: unknown = await transport
      .send(ownQueue(), makeMessage({ body: "x" }))
      .catch((reason: unknown) => reason);
    expect(code(error)).toBe("TRANSPORT_UNAVAILABLE");
    expect(String(error)).toContain("RabbitMQ at 127.0.0.1:1 cannot be reached: ");
    expect(String(error)).not.toContain("guest");
  });

  it("tries the nodes of a cluster in turn", async () => {
    const queue = ownQueue();
    const cluster = openTransport("", { url: ["amqp://guest:guest@127.0.0.1:1", rabbitmq.url] });
    await cluster.send(queue, makeMessage({ body: "x" }));
    await consume(cluster, queue).count(1);
  });
});

/** A value of every type that amqplib can be told to use. */
const foreignHeaders = {
  b: { "!": "int8", value: 1 },
  B: { "!": "uint8", value: 200 },
  s: { "!": "int16", value: 1 },
  u: { "!": "uint16", value: 60_000 },
  I: { "!": "int32", value: 1 },
  i: { "!": "uint32", value: 4_000_000_000 },
  l: { "!": "int64", value: 1 },
  f: { "!": "float", value: 0.5 },
  d: { "!": "double", value: 1 },
  D: { "!": "decimal", value: { places: 2, digits: 105 } },
  T: { "!": "timestamp", value: 1_767_225_600 },
};

/** The types of the headers with names of one letter, as they are on the wire. */
function tagsOf(table: Buffer): Record<string, string> {
  const names = decodeFieldTable(table)
    .map(({ name }: Header) => name)
    .filter((name) => name.length === 1);
  return Object.fromEntries(names.map((name) => [name, tagAfter(table, name)]));
}

function tagAfter(table: Buffer, name: string): string {
  const entry = Buffer.concat([Buffer.from([name.length]), Buffer.from(name)]);
  return String.fromCharCode(table[table.indexOf(entry) + entry.length] ?? 0);
}
