import { expect, it, onTestFinished } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { matching } from "../matching.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noNatsServer, startNats } from "../servers/nats.ts";
import { openStranger, openTransport } from "../transports/nats/workbench.ts";
import { lookAtPlace } from "./looking.ts";

describeServer("doctor on NATS", noNatsServer, () => {
  /** A server of its own: all its streams are looked at. */
  async function setup(settings?: string) {
    const server = await startNats(settings);
    onTestFinished(() => server.close());
    const look = (url = server.url) => lookAtPlace("nats", { url });
    return { server, look };
  }

  it("sees subjects, how much is in each, whose letters they are, how long they are kept, and changes nothing", async () => {
    const { server, look } = await setup();
    const stranger = await openStranger(server.url);
    const { streams } = stranger.manager;
    await streams.add({ name: "ORDERS", subjects: ["orders.*"], max_age: 3_600e9, max_msgs: 1_000 });
    await streams.add({ name: "mails", subjects: ["mails"] });
    const transport = openTransport(server.url);
    for (const name of ["orders.paid", "orders.paid.dlq", "orders.paid.dlq", "mails"]) {
      await transport.send({ name }, makeMessage({ body: "x" }));
    }
    const { wiring, codes } = await look();
    expect(wiring.product).toMatch(/^NATS \d/u);
    const byName = wiring.queues.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(byName.map(({ name, depth }) => [name, depth])).toEqual([
      ["mails", 1],
      ["orders.paid", 1],
      ["orders.paid.dlq", 2],
    ]);
    const [mails, orders] = ["mails", "orders.paid"].map((name) => wiring.queues.find((queue) => queue.name === name));
    expect(mails?.oldestAgeMs).toBeLessThan(600_000);
    expect(orders).toMatchObject({
      deadLettering: { targets: ["orders.paid.dlq"] },
      keeping: { retentionMs: 3_600_000, dropsBeyond: "1000 messages" },
    });
    expect(codes).toEqual([]);
    expect(await stranger.manager.consumers.list("ORDERS").next()).toEqual([]);
  });

  it("finds a stream in memory, and a consumer whose giving up nobody hears, with what mends it", async () => {
    const { server, look } = await setup();
    const { streams, consumers } = (await openStranger(server.url)).manager;
    await streams.add({ name: "ORDERS", subjects: ["orders.*"], storage: "memory" });
    await consumers.add("ORDERS", { durable_name: "billing", ack_policy: "explicit", max_deliver: 5 });
    const { findings } = await look();
    expect(findings).toMatchObject([
      { code: "broker.forgets", sentence: matching(/`ORDERS`/u) },
      { code: "delivery_limit.unheard", sentence: matching(/`billing` of `ORDERS`.* 5 deliveries/u) },
    ]);
    const [, subject = ""] = /--subjects '([^']+)'/u.exec(findings[1]?.remedy ?? "") ?? [];
    await streams.add({ name: "DLO-ADVISORIES", subjects: [subject] });
    expect((await look()).codes).toEqual(["broker.forgets"]);
  });

  it.each([
    ["nobody there", () => "nats://u:hunter2@127.0.0.1:2", "TRANSPORT_UNAVAILABLE", /^(?!.*hunter2)/u],
    [
      "a name nobody knows",
      (url: string) => url.replace("//", "//u:hunter2@"),
      "ACCESS_REFUSED",
      /^(?!.*hunter2).*JS\.API/u,
    ],
    ["something that is no address", () => "hunter2", "INVALID_CONFIG", /^(?!.*hunter2)/u],
  ])("says what is wrong with %s", async (_about, urlOf, code, message) => {
    const { server, look } = await setup('authorization: { user: "a", password: "b" }');
    await expect(look(urlOf(server.url))).rejects.toMatchObject({ code, message: matching(message) });
  });

  it("does not wait for ever for a server that is half open", async () => {
    const { server } = await setup();
    const proxy = await startFaultProxy({ port: Number(new URL(server.url).port) });
    onTestFinished(() => proxy.close());
    proxy.break({ accept: "silence" });
    const looking = lookAtPlace("nats", { url: proxy.through(server.url) }, 500);
    await expect(looking).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
  });
});
