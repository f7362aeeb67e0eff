import { connect as openSocket } from "node:net";
import type { StoredMsg } from "@nats-io/jetstream";
import { type Msg, headers as makeHeaders } from "@nats-io/transport-node";
import { expect, it, onTestFinished } from "vitest";
import { makeMessage, textHeader } from "../../../src/domain/message.ts";
import { systemHost } from "../../../src/system/host.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { decodeMessage } from "../../../src/transports/nats/message-codec.ts";
import { wordOf } from "../../../src/transports/nats/names.ts";
import type { Incident } from "../../../src/transports/transport.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noNats } from "../../servers/nats.ts";
import { useNats } from "../../servers/use-nats.ts";
import { consume, openLink, openStranger, openTransport, type Taken } from "./workbench.ts";

const leased = { leaseMs: 60_000, order: "none" } as const;
const bodiesOf = (taken: readonly Taken[]) => taken.map(({ message }) => Buffer.from(message.body).toString());
const startedOnce = (queue: string) => [
  textHeader("dlo-queue", queue),
  textHeader("dlo-history", JSON.stringify([{ n: 1, at: "2026-11-15T10:00:00Z", started: true }])),
];
const only = ([one]: readonly Taken[]) => one as Taken;
const newName = () => `orders-${crypto.randomUUID()}`;

describeServer("queues as subjects of streams", noNats, () => {
  const nats = useNats();

  it("gives a group its retries alone, and leaves a stream that others read as it is", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    await stranger.manager.streams.add({ name, subjects: [name] });
    await link.send({ name }, makeMessage({ body: "a" }), 0);
    const [billing, others] = [
      { name, group: "billing" },
      { name, group: "others" },
    ];
    const { receipt, message } = only(await link.take(billing, 10, leased));
    await link.replace(receipt, { ...message, headers: [textHeader("tries", "1")] }, 0);
    const again = only(await link.take(billing, 10, leased));
    expect(again.message.headers).toEqual([textHeader("tries", "1")]);
    await link.acknowledge([again.receipt]);
    expect(bodiesOf(await link.take(others, 10, leased))).toEqual(["a"]);
    expect(await link.take(billing, 10, leased)).toEqual([]);
    expect(await stranger.count(name)).toBe(1);
  });

  it("keeps dead letters away from those who read all subjects of a stream", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    await stranger.manager.streams.add({ name, subjects: [`${name}.>`] });
    await stranger.publish(`${name}.paid`, "a");
    const { receipt, message } = only(await link.take({ name: `${name}.paid` }, 10, leased));
    await link.move(receipt, { name: `${name}.paid.dlq` }, message);
    expect(await stranger.count(name)).toBe(1);
    expect(bodiesOf(await link.take({ name: `${name}.paid.dlq` }, 10, leased))).toEqual(["a"]);
  });

  it("puts dead letters where somebody has made a stream for just these, and finds a subject by its stream", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    await stranger.manager.streams.add({ name, subjects: [`${name}.dlq`, `${name}.*.dlq`] });
    await link.send({ name: `${name}.dlq` }, makeMessage({ body: "a" }), 0);
    await link.send({ name: `${name}/${name}.eu.dlq` }, makeMessage({ body: "b" }), 0);
    expect(await stranger.count(name)).toBe(2);
    expect(bodiesOf(await link.take({ name: `${name}/${name}.eu.dlq` }, 10, leased))).toEqual(["b"]);
  });

  it("reads with the durable consumer of the group's name, where there is one for that subject", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    await stranger.manager.streams.add({ name, subjects: [`${name}.*`] });
    const durable = { durable_name: "billing", filter_subject: `${name}.paid` };
    await stranger.manager.consumers.add(name, { ...durable, ack_policy: "explicit" });
    await stranger.publish(`${name}.paid`, "a");
    await stranger.publish(`${name}.other`, "b");
    const queue = { name: `${name}.paid`, group: "billing" };
    const { receipt } = only(await link.take(queue, 10, leased));
    expect(await link.replace(receipt, makeMessage({ body: "again" }), 0)).toBe(true);
    expect(bodiesOf(await link.take(queue, 10, leased))).toEqual(["again"]);
    const { consumers } = stranger.manager;
    expect((await consumers.list(name).next()).map((info) => info.name)).toEqual(["billing"]);
  });

  it("refuses a consumer that pushes, and a second group of a work queue, and says what to do", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    await stranger.manager.streams.add({ name, subjects: [name] });
    const pushing = { durable_name: "push", deliver_subject: "somewhere", ack_policy: "explicit" } as const;
    await stranger.manager.consumers.add(name, pushing);
    const refused = { code: "INVALID_OPTION" };
    await expect(link.take({ name, group: "push" }, 1, leased)).rejects.toMatchObject(refused);
    const queue = newName();
    await link.take({ name: queue, group: "billing" }, 1, leased);
    await expect(link.take({ name: queue, group: "other" }, 1, leased)).rejects.toMatchObject(refused);
  });

  it("makes no stream of a subject where it is told not to", async () => {
    const link = openLink(nats.url, { topology: "check" });
    const gone = { code: "QUEUE_NOT_FOUND" };
    await expect(link.take({ name: newName() }, 1, leased)).rejects.toMatchObject(gone);
    await expect(link.send({ name: newName() }, makeMessage({}), 0)).rejects.toMatchObject(gone);
  });

  it("begins a new group where it is told to", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    const late = openLink(nats.url, { startFrom: "latest" });
    await stranger.manager.streams.add({ name, subjects: [name] });
    await stranger.publish(name, "before");
    expect(await late.take({ name, group: "late" }, 10, leased)).toEqual([]);
    await stranger.publish(name, "after");
    expect(bodiesOf(await late.take({ name, group: "late" }, 10, leased))).toEqual(["after"]);
    expect(bodiesOf(await link.take({ name }, 10, leased))).toEqual(["before", "after"]);
  });

  it("takes all of several subjects, and tells on which each came", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    await stranger.manager.streams.add({ name, subjects: [`${name}.*`] });
    await stranger.publish(`${name}.paid`, "a");
    const { message, receipt } = only(await link.take({ name: `${name}.*` }, 1, leased));
    expect(message.properties).toEqual([textHeader("subject", `${name}.paid`)]);
    await link.replace(receipt, message, 0);
    expect(only(await link.take({ name: `${name}.*` }, 1, leased)).message).toEqual(message);
    await expect(link.send({ name: `${name}.*` }, message, 0)).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  it("lets a sender's own id hold off duplicates, and never a retry, a dead letter or what comes again", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    const message = makeMessage({ body: "a", headers: { "Nats-Msg-Id": "o-1", "Nats-Expected-Stream": wordOf(name) } });
    await link.send({ name }, message, 0);
    await link.send({ name }, message, 0);
    expect(await stranger.count(wordOf(name))).toBe(1);
    for (let round = 0; round < 3; round++) {
      const taken = only(await link.take({ name }, 10, leased));
      expect(taken.message).toEqual(message);
      await link.replace(taken.receipt, taken.message, 0);
    }
    const { receipt } = only(await link.take({ name }, 10, leased));
    const dead = { name: `${name}.dlq` };
    await link.move(receipt, dead, message);
    await link.send(dead, message, 0, true);
    expect((await link.take(dead, 10, leased)).map((letter) => letter.message)).toEqual([message, message]);
  });

  it("sends nothing twice when an answer was lost and it is asked again", async () => {
    const [link, name] = [openLink(nats.url), newName()];
    await link.send({ name }, makeMessage({ body: "a" }), 0);
    const first = only(await link.take({ name }, 1, leased));
    const dead = { name: `${name}.dlq` };
    for (let tries = 0; tries < 3; tries++) expect(await link.move(first.receipt, dead, first.message)).toBe(true);
    expect(bodiesOf(await link.take(dead, 10, leased))).toEqual(["a"]);
  });

  it("has one successor of a message, also when it is decided otherwise after an answer was lost", async () => {
    const [link, name] = [openLink(nats.url), newName()];
    for (const body of ["moved", "put back"]) await link.send({ name }, makeMessage({ body }), 0);
    const [moved, putBack] = (await link.take({ name }, 2, leased)) as [Taken, Taken];
    await link.move(moved.receipt, { name: `${name}.dlq` }, moved.message);
    expect(await link.replace(moved.receipt, moved.message, 0)).toBe(true);
    await link.replace(putBack.receipt, putBack.message, 0);
    expect(await link.charge(putBack.receipt, startedOnce(name))).toBe("resent");
    expect(await link.move(putBack.receipt, { name: `${name}.dlq` }, putBack.message)).toBe(true);
    expect(bodiesOf(await link.take({ name }, 10, leased))).toEqual(["put back"]);
    expect(bodiesOf(await link.take({ name: `${name}.dlq` }, 10, leased))).toEqual(["moved"]);
  });

  it("takes messages that were charged with an attempt one at a time", async () => {
    const [link, name] = [openLink(nats.url), newName()];
    for (const body of ["a", "b"]) await link.send({ name }, makeMessage({ body }), 0);
    for (const { receipt } of await link.take({ name }, 10, leased)) {
      expect(await link.charge(receipt, startedOnce(name))).toBe("resent");
    }
    const first = await link.take({ name }, 10, leased);
    expect([bodiesOf(first), bodiesOf(await link.take({ name }, 10, leased))]).toEqual([["a"], []]);
    expect([only(first).redelivered, only(first).deliveryCount]).toEqual([false, 2]);
    await link.acknowledge([only(first).receipt]);
    expect(bodiesOf(await link.take({ name }, 10, leased))).toEqual(["b"]);
  });

  it("hands over a charged message though what else comes again cannot be asked for", async () => {
    const [stranger, name] = [await openStranger(nats.url), newName()];
    const link = openLink(nats.url, { answerWithinMs: 1_000 });
    for (const body of ["a", "b"]) await link.send({ name }, makeMessage({ body }), 0);
    const [a, b] = (await link.take({ name }, 2, leased)) as [Taken, Taken];
    await link.charge(a.receipt, startedOnce(name));
    await link.replace(b.receipt, b.message, 0);
    await stranger.manager.consumers.delete("DLO", `again-${wordOf(name)}`);
    expect(bodiesOf(await link.take({ name }, 10, leased))).toEqual(["a"]);
    await eventually(async () => expect(bodiesOf(await link.take({ name }, 10, leased))).toEqual(["b"]));
  });
});

describeServer("messages of streams", noNats, () => {
  const nats = useNats();

  it("gives a delayed message to every group of its subject, or to the one it was sent to", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    await stranger.manager.streams.add({ name, subjects: [name] });
    const [one, other] = [
      { name, group: "one" },
      { name, group: "other" },
    ];
    await Promise.all([one, other].map((queue) => link.take(queue, 1, leased)));
    await link.send({ name }, makeMessage({ body: "for all" }), 20);
    await link.send(one, makeMessage({ body: "for one" }), 20);
    const seen: string[] = [];
    await eventually(async () => {
      seen.push(...bodiesOf(await link.take(one, 10, leased)));
      expect(seen.toSorted()).toEqual(["for all", "for one"]);
    });
    expect(bodiesOf(await link.take(other, 10, leased))).toEqual(["for all"]);
  });

  it("reads headers of other programs exactly: repeated in any order, and what is not UTF-8", async () => {
    const [link, name] = [openLink(nats.url), newName()];
    await link.send({ name }, makeMessage({ body: "first" }), 0);
    const raw = Buffer.from([0xff, 0xfe]);
    await sendRaw(nats.url, name, ["Tag: one\r\nother: x\r\nTag:two  \r\nraw: ", raw], "b");
    const letters: Taken[] = [];
    await eventually(async () => {
      letters.push(...(await link.take({ name }, 10, leased)));
      expect(bodiesOf(letters)).toEqual(["first", "b"]);
    });
    const { message, receipt } = letters[1] as Taken;
    expect(message.headers).toEqual([
      textHeader("Tag", "one"),
      textHeader("other", "x"),
      textHeader("Tag", "two"),
      { name: "raw", value: { type: "bytes", value: Uint8Array.of(0xff, 0xfe) } },
    ]);
    await link.replace(receipt, message, 0);
    expect(only(await link.take({ name }, 10, leased)).message).toEqual(message);
  });

  it("takes and sends again what other programs name as the client would refuse to read it", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    await stranger.manager.streams.add({ name, subjects: [name] });
    const headers = [textHeader("a name", "1"), textHeader("größe", "2"), textHeader("lines", "one\ntwo\rthree")];
    await sendRaw(nats.url, name, ["a name: 1\r\ngröße: 2\r\nlines: one\ntwo\rthree"], "odd");
    await eventually(async () => expect(await stranger.count(name)).toBe(1));
    await link.send({ name }, makeMessage({ body: "other" }), 0);
    const [odd, other] = await link.take({ name }, 10, leased);
    expect([odd?.message.headers, bodiesOf([other as Taken])]).toEqual([headers, ["other"]]);
    await link.replace((odd as Taken).receipt, (odd as Taken).message, 0);
    expect(only(await link.take({ name }, 10, leased)).message).toEqual(odd?.message);
    const stored = await stranger.manager.streams.getMessage(name, { seq: 1 });
    expect(decodeMessage(stored as StoredMsg, name).message).toEqual(odd?.message);
  });

  it("is read by other programs: text headers are headers of NATS", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    const headers = [textHeader("a", "1"), textHeader("b", "two\nlines"), textHeader("a", "2")];
    await link.send({ name }, makeMessage({ body: "x", headers }), 0);
    const stored = await stranger.manager.streams.getMessage(wordOf(name), { seq: 1 });
    expect([stored?.header.values("a"), stored?.string()]).toEqual([["1", "2"], "x"]);
    expect(only(await link.take({ name }, 10, leased)).message.headers).toEqual(headers);
  });

  it("hears of a message that somebody sends, and wakes for what is due, long before it would ask again", async () => {
    const [stranger, name] = [await openStranger(nats.url), newName()];
    const transport = openTransport(nats.url, { pollMs: 600_000 });
    let listening = false;
    const consuming = consume(
      transport,
      name,
      ({ message, deliveryCount }) =>
        deliveryCount === 1 ? { kind: "retry", delayMs: 50, message } : { kind: "done" },
      { listening: () => (listening = true) },
    );
    await eventually(() => listening);
    await stranger.publish(name, "from elsewhere", makeHeaders());
    await eventually(() => consuming.bodies.length === 2);
    await consuming.stop();
  });

  it("makes its consumers again when somebody deleted them, or the stream", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url), newName()];
    await link.take({ name }, 1, leased);
    await stranger.manager.streams.delete(wordOf(name));
    await eventually(() => link.send({ name }, makeMessage({ body: "a" }), 0));
    await eventually(async () => expect(bodiesOf(await link.take({ name }, 1, leased))).toEqual(["a"]));
  });

  it("tells of a delayed message that cannot be sent when it is due, and leaves it for later", async () => {
    const [stranger, link, name] = [await openStranger(nats.url), openLink(nats.url, { pollMs: 1 }), newName()];
    await stranger.manager.streams.add({ name, subjects: [name], max_msgs: 1, discard: "new" });
    await link.send({ name }, makeMessage({ body: "fills it" }), 0);
    await link.send({ name }, makeMessage({ body: "late" }), 1);
    const incidents: Incident[] = [];
    await eventually(async () => {
      await link.take({ name }, 1, { ...leased, report: (incident) => incidents.push(incident) });
      expect(incidents).toMatchObject([{ kind: "onward-failed", retryInMs: 5_000, message: { headers: [] } }]);
    });
    expect(incidents[0]?.error).toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
  });

  it("follows a subject to another stream", async () => {
    const [stranger, name] = [await openStranger(nats.url), newName()];
    let aheadMs = 0;
    const clock = { ...systemHost.clock, now: () => systemHost.clock.now() + aheadMs };
    const link = openLink(nats.url, { host: { ...systemHost, clock } });
    const { streams } = stranger.manager;
    await streams.add({ name, subjects: [name, `${name}.other`] });
    let woken = 0;
    const cancel = await link.watch({ name }, () => {
      woken += 1;
    });
    onTestFinished(cancel);
    expect(await link.take({ name }, 1, leased)).toEqual([]);
    await streams.update(name, { subjects: [`${name}.other`] });
    await streams.add({ name: `${name}-2`, subjects: [name] });
    await stranger.publish(name, "moved");
    aheadMs += 60_000;
    expect(bodiesOf(await link.take({ name }, 1, leased))).toEqual(["moved"]);
    woken = 0;
    expect(await link.take({ name }, 1, leased)).toEqual([]);
    await eventually(() => woken > 0);
    // Asked on the same connection: by its answer the server knows what is listened to.
    expect(await link.take({ name }, 1, leased)).toEqual([]);
    woken = 0;
    await stranger.publish(name, "heard");
    await eventually(() => woken > 0);
  });

  it.each(["check", "make"] as const)(
    "waits for a subject that is on its way to another stream (%s)",
    async (topology) => {
      const [stranger, name] = [await openStranger(nats.url), newName()];
      let aheadMs = 0;
      const clock = { ...systemHost.clock, now: () => systemHost.clock.now() + aheadMs };
      const link = openLink(nats.url, { host: { ...systemHost, clock }, topology });
      const { streams } = stranger.manager;
      await streams.add({ name, subjects: [name, `${name}.other`] });
      expect(await link.take({ name }, 1, leased)).toEqual([]);
      await streams.update(name, { subjects: [`${name}.other`] });
      aheadMs += 60_000;
      expect(await link.take({ name }, 1, leased)).toEqual([]);
      await streams.add({ name: `${name}-2`, subjects: [name] });
      await stranger.publish(name, "moved");
      aheadMs += 60_000;
      expect(bodiesOf(await link.take({ name }, 1, leased))).toEqual(["moved"]);
    },
  );

  it("confirms acknowledgements where it is told to", async () => {
    const [stranger, link, name] = [
      await openStranger(nats.url),
      openLink(nats.url, { acknowledge: "double" }),
      newName(),
    ];
    await link.send({ name }, makeMessage({ body: "a" }), 0);
    await link.acknowledge((await link.take({ name }, 1, leased)).map(({ receipt }) => receipt));
    expect(await stranger.count(wordOf(name))).toBe(0);
    const [asked, untold]: [string[], string[]] = [[], []];
    const callback = (_: unknown, { subject, data, reply = "" }: Msg) => {
      if (Buffer.from(data).toString() === "+ACK") (reply === "" ? untold : asked).push(subject);
    };
    stranger.client.subscribe(`$JS.ACK.${wordOf(name)}.>`, { callback });
    stranger.client.subscribe(`$JS.ACK.DLO.delayed-${wordOf(name)}.>`, { callback });
    await stranger.client.flush();
    await link.send({ name }, makeMessage({ body: "late" }), 1);
    const taken: Taken[] = [];
    await eventually(async () => {
      taken.push(...(await link.take({ name }, 1, leased)));
      expect(taken).toHaveLength(1);
    });
    await link.replace(only(taken).receipt, only(taken).message, 0);
    await eventually(() => expect([asked.length, untold]).toEqual([2, []]));
  });
});

/** As a client in another language may: nothing looks at what it writes. */
function sendRaw(url: string, subject: string, headers: readonly (string | Buffer)[], body: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = openSocket(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const head = Buffer.concat(["NATS/1.0\r\n", ...headers, "\r\n\r\n"].map((part) => Buffer.from(part)));
  const sizes = `${head.length} ${head.length + Buffer.byteLength(body)}`;
  const line = Buffer.concat([Buffer.from(`HPUB ${subject} ${sizes}\r\n`), head, Buffer.from(`${body}\r\n`)]);
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.once("data", () => {
      socket.write('CONNECT {"verbose":false,"headers":true}\r\n');
      socket.write(line, () => resolve());
    });
  });
}
