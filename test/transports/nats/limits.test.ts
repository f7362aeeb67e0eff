import { expect, it, onTestFinished } from "vitest";
import { headerText, makeMessage, textHeader } from "../../../src/domain/message.ts";
import { createConsumer } from "../../../src/runtime/consumer.ts";
import type { ConsumerEvent } from "../../../src/runtime/events.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noNatsServer, startNats } from "../../servers/nats.ts";
import { consume, openLink, openStranger, openTransport, type Taken } from "./workbench.ts";

const maxPayload = 65_536;
const leased = { leaseMs: 60_000, order: "none" } as const;

async function startSmall(): Promise<string> {
  const server = await startNats(`max_payload: ${maxPayload}`);
  onTestFinished(() => server.close());
  return server.url;
}

describeServer("messages that only just fit into one of NATS", noNatsServer, () => {
  it("are tried, and end among the dead letters as they came, where no header of ours has room", async () => {
    const url = await startSmall();
    const stranger = await openStranger(url);
    await stranger.manager.streams.add({ name: "orders", subjects: ["orders"], retention: "workqueue" });
    const body = new Uint8Array(maxPayload).fill(0x20);
    await stranger.publish("orders", body);
    const transport = openTransport(url, { pollMs: 50 });
    const events: ConsumerEvent[] = [];
    const consumer = createConsumer({
      ...{ transport, queue: "orders", decode: ({ body: bytes }) => bytes.length },
      handler: () => Promise.reject(new Error("not today")),
      deadLetter: { returnDelayMs: 10 },
      observers: [{ event: (event) => events.push(event) }],
    });
    const letters = consume(transport, "orders.dlq");
    const running = consumer.start();
    await eventually(() => expect(letters.bodies.map((text) => text.length)).toEqual([maxPayload]));
    await Promise.all([consumer.stop(), letters.stop(), running]);
    // Nothing on it says how often it was tried; the server counts how often it gave it out.
    expect(events.filter(({ type }) => type === "attempt-started")).toHaveLength(3);
    expect(events).toContainEqual(expect.objectContaining({ type: "dead-lettered", reason: "unprocessable" }));
    expect(await stranger.count("orders")).toBe(0);
  });

  it("are tried again without their history, and count their attempts all the same", async () => {
    const url = await startSmall();
    const [stranger, link] = [await openStranger(url), openLink(url)];
    await stranger.manager.streams.add({ name: "orders", subjects: ["orders"] });
    await stranger.publish("orders", new Uint8Array(maxPayload - 2_000));
    const [first] = (await link.take({ name: "orders" }, 1, leased)) as [Taken];
    const headers = [textHeader("dlo-attempt", "1"), textHeader("dlo-history", "x".repeat(3_000))];
    expect(await link.replace(first.receipt, { ...first.message, headers }, 0)).toBe(true);
    const [again] = (await link.take({ name: "orders" }, 1, leased)) as [Taken];
    expect(again.message.headers).toEqual([textHeader("dlo-attempt", "1")]);
    const death = [
      ...again.message.headers,
      textHeader("dlo-reason", "poison"),
      textHeader("dlo-error", "x".repeat(3_000)),
    ];
    await link.move(again.receipt, { name: "orders.dlq" }, { ...again.message, headers: death });
    const [letter] = (await link.take({ name: "orders.dlq" }, 1, leased)) as [Taken];
    expect(headerText(letter.message.headers, "dlo-reason")).toBe("poison");
  });

  it("end among the dead letters once, however often they are sent there, where an id has room", async () => {
    const url = await startSmall();
    const [stranger, link] = [await openStranger(url), openLink(url)];
    await stranger.manager.streams.add({ name: "orders", subjects: ["orders"] });
    await stranger.publish("orders", new Uint8Array(maxPayload - 200));
    const [first] = (await link.take({ name: "orders" }, 1, leased)) as [Taken];
    const headers = [textHeader("dlo-reason", "x".repeat(300))];
    // As when nobody heard that it was there.
    for (let sent = 0; sent < 3; sent++) {
      expect(await link.move(first.receipt, { name: "orders.dlq" }, { ...first.message, headers })).toBe(true);
    }
    expect(await link.take({ name: "orders.dlq" }, 10, leased)).toHaveLength(1);
    expect(await link.take({ name: "orders.dlq" }, 10, leased)).toEqual([]);
  });

  it("are charged whole or not at all", async () => {
    const url = await startSmall();
    const [stranger, link] = [await openStranger(url), openLink(url)];
    await stranger.manager.streams.add({ name: "orders", subjects: ["orders"] });
    await stranger.publish("orders", new Uint8Array(maxPayload - 2_000));
    const [first] = (await link.take({ name: "orders" }, 1, leased)) as [Taken];
    const headers = [textHeader("dlo-attempt", "1"), textHeader("dlo-history", "x".repeat(3_000))];
    await expect(link.charge(first.receipt, headers)).rejects.toMatchObject({ code: "MESSAGE_TOO_LARGE" });
  });

  it("are refused to senders of ours, who are told how large they may be", async () => {
    const transport = openTransport(await startSmall());
    const sending = (bytes: number) => transport.send({ name: "orders" }, makeMessage({ body: new Uint8Array(bytes) }));
    await sending(maxPayload - 5_000);
    await expect(sending(maxPayload - 4_000)).rejects.toMatchObject({
      code: "MESSAGE_TOO_LARGE",
      details: { most: maxPayload - 4_096 },
    });
  });
});
