import { expect, it } from "vitest";
import { done, makeMessage, textHeader } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noRedis } from "../../servers/redis.ts";
import { useRedis } from "../../servers/use-redis.ts";
import { consume, openClient, openLink, openTransport, type Taken } from "./workbench.ts";

const leased = { leaseMs: 60_000, order: "none" } as const;
const bodiesOf = (taken: readonly Taken[]) => taken.map(({ message }) => Buffer.from(message.body).toString());
const only = ([one]: readonly Taken[]) => one as Taken;

describeServer("queues as streams", noRedis, () => {
  const redis = useRedis();
  const newName = () => `orders-${crypto.randomUUID()}`;

  it("leaves a stream alone that another group reads, and gives that group everything", async () => {
    const [client, link, name] = [openClient(redis.url), openLink(redis.url), newName()];
    await client.xgroup("CREATE", name, "others", "0", "MKSTREAM");
    await link.send({ name }, makeMessage({ body: "a" }), 0);
    const billing = { name, group: "billing" };
    const { receipt, message } = only(await link.take(billing, 10, leased));
    await link.replace(receipt, message, 0);
    const again = only(await link.take(billing, 10, leased));
    await link.acknowledge([again.receipt]);
    expect(await client.xlen(name)).toBe(1);
    expect(bodiesOf(await link.take({ name, group: "others" }, 10, leased))).toEqual(["a"]);
    expect(await link.take(billing, 10, leased)).toEqual([]);
  });

  it("clears a stream of what is acknowledged where it is the only group, and nothing stays beside it", async () => {
    const [client, link, name] = [openClient(redis.url), openLink(redis.url), newName()];
    for (const body of ["a", "b", "c"]) await link.send({ name }, makeMessage({ body }), 0);
    const taken = await link.take({ name }, 10, leased);
    const [first, second, third] = taken.map(({ receipt }) => receipt);
    if (first === undefined || second === undefined || third === undefined) throw new Error("Three were sent.");
    await link.replace(first, makeMessage({ body: "a again" }), 0);
    await link.move(second, { name: `${name}.dlq` }, makeMessage({ body: "b" }));
    await link.acknowledge([third]);
    await link.acknowledge((await link.take({ name }, 10, leased)).map(({ receipt }) => receipt));
    expect(await client.xlen(name)).toBe(0);
    expect(await client.xlen(`${name}.dlq`)).toBe(1);
    expect((await client.xpending(name, "dlo"))[0]).toBe(0);
    expect(await client.keys(`dlo:{${name}}:*`)).toEqual([`dlo:{${name}}:group:dlo:state`]);
    const state = `dlo:{${name}}:group:dlo:state`;
    expect((await client.hkeys(state)).sort()).toEqual(["fence", "table"]);
    // Otherwise each of the messages in hand is looked for from the first.
    expect(await client.object("ENCODING", state)).toBe("hashtable");
  });

  it("keeps acknowledged entries where it is told to", async () => {
    const [client, link, name] = [openClient(redis.url), openLink(redis.url, { acknowledged: "keep" }), newName()];
    await link.send({ name }, makeMessage({ body: "a" }), 0);
    await link.acknowledge((await link.take({ name }, 10, leased)).map(({ receipt }) => receipt));
    expect(await client.xlen(name)).toBe(1);
    expect(await link.take({ name }, 10, leased)).toEqual([]);
  });

  it("begins a new group where it is told to", async () => {
    const [early, late, name] = [openLink(redis.url), openLink(redis.url, { startFrom: "latest" }), newName()];
    await early.send({ name }, makeMessage({ body: "before" }), 0);
    expect(await late.take({ name, group: "late" }, 10, leased)).toEqual([]);
    await early.send({ name }, makeMessage({ body: "after" }), 0);
    expect(bodiesOf(await late.take({ name, group: "late" }, 10, leased))).toEqual(["after"]);
    expect(bodiesOf(await early.take({ name }, 10, leased))).toEqual(["before", "after"]);
  });

  it("reads entries of other people's programs, and sends them on as they were", async () => {
    const [client, link, name] = [openClient(redis.url), openLink(redis.url), newName()];
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    await client.xadd(name, "*", "order", "17", "order", "18", "raw", bytes);
    const { message, receipt } = only(await link.take({ name }, 1, leased));
    expect(JSON.parse(Buffer.from(message.body).toString())).toMatchObject({ order: "18" });
    await link.move(receipt, { name: `${name}.other` }, { ...message, headers: [textHeader("why", "a test")] });
    const [[, fields] = ["", []]] = await client.xrangeBuffer(`${name}.other`, "-", "+");
    expect(fields?.slice(0, 6)).toEqual(["order", "17", "order", "18", "raw", bytes].map((part) => Buffer.from(part)));
    expect(only(await link.take({ name: `${name}.other` }, 1, leased)).message).toEqual({
      ...message,
      headers: [textHeader("why", "a test")],
    });
  });

  it("takes over what a consumer of another library read in its group and never acknowledged", async () => {
    const [client, name] = [openClient(redis.url), newName()];
    await client.xgroup("CREATE", name, "dlo", "0", "MKSTREAM");
    await client.xadd(name, "*", "body", "left behind");
    await client.xreadgroup("GROUP", "dlo", "somebody", "COUNT", 10, "STREAMS", name, ">");
    expect(await openLink(redis.url).take({ name }, 10, leased)).toEqual([]);
    await eventually(async () => {
      const taken = await openLink(redis.url, { adoptAfterMs: 1 }).take({ name }, 10, leased);
      expect(taken).toMatchObject([{ redelivered: true, deliveryCount: 2 }]);
    });
  });

  it("does not take for left behind what it has read itself and has a lease for", async () => {
    const [link, name] = [openLink(redis.url), newName()];
    for (const body of ["a", "b"]) await link.send({ name }, makeMessage({ body }), 0);
    const [first, second] = await link.take({ name }, 10, leased);
    if (first === undefined || second === undefined) throw new Error("Two were sent.");
    await link.extend(second.receipt, 60_000);
    const adopting = openLink(redis.url, { adoptAfterMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await adopting.take({ name }, 10, leased)).toEqual([]);
    await link.giveBack([first.receipt]);
    expect(bodiesOf(await adopting.take({ name }, 10, leased))).toEqual(["a"]);
  });

  it("gives what was read together to others one by one when its lease is over, but for what was settled", async () => {
    const [link, other, name] = [openLink(redis.url), openLink(redis.url), newName()];
    for (const body of ["a", "b", "c", "d"]) await link.send({ name }, makeMessage({ body }), 0);
    const taken = await link.take({ name }, 10, { ...leased, leaseMs: 50 });
    const [a, b, c] = taken.map(({ receipt }) => receipt);
    if (a === undefined || b === undefined || c === undefined) throw new Error("Four were sent.");
    await link.acknowledge([a]);
    await link.extend(b, 60_000);
    const again: Taken[] = [];
    await eventually(async () => {
      again.push(...(await other.take({ name }, 1, leased)));
      expect(bodiesOf(again)).toEqual(["c", "d"]);
    });
    expect(again).toMatchObject([{ redelivered: true, deliveryCount: 2 }, { redelivered: true }]);
    // It is somebody else's by now.
    await link.acknowledge([c]);
    expect(await link.move(c, { name: `${name}.dlq` }, makeMessage({ body: "c" }))).toBe(false);
    await other.acknowledge(again.map(({ receipt }) => receipt));
    await link.acknowledge([b]);
    expect(await openClient(redis.url).keys(`dlo:{${name}}:*`)).toEqual([`dlo:{${name}}:group:dlo:state`]);
  });

  it("passes over what somebody took out of the stream while it was out", async () => {
    const [client, link, name] = [openClient(redis.url), openLink(redis.url), newName()];
    await link.send({ name }, makeMessage({ body: "a" }), 0);
    const { receipt } = only(await link.take({ name }, 1, leased));
    await client.xtrim(name, "MAXLEN", 0);
    await link.giveBack([receipt]);
    expect(await link.take({ name }, 1, leased)).toEqual([]);
    expect((await client.xpending(name, "dlo"))[0]).toBe(0);
  });

  it("makes its group again when somebody deleted the stream", async () => {
    const [client, link, name] = [openClient(redis.url), openLink(redis.url), newName()];
    await link.take({ name }, 1, leased);
    await client.del(name);
    await link.send({ name }, makeMessage({ body: "a" }), 0);
    expect(bodiesOf(await link.take({ name }, 1, leased))).toEqual(["a"]);
  });

  it("gives a delayed message to every group of its stream, or to the one it was sent to", async () => {
    const [link, name] = [openLink(redis.url), newName()];
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

  it("hears of an entry that somebody adds, long before it would ask again", async () => {
    const [client, name] = [openClient(redis.url), newName()];
    const consuming = consume(openTransport(redis.url, { pollMs: 600_000 }), name, () => done);
    await eventually(async () => String(await client.client("LIST")).includes("cmd=xread"));
    await client.xadd(name, "*", "body", "from elsewhere");
    await eventually(() => consuming.bodies.length === 1);
    await consuming.stop();
  });

  it("wakes for what is due, long before it would ask again", async () => {
    const name = newName();
    const transport = openTransport(redis.url, { pollMs: 600_000 });
    const consuming = consume(transport, name, ({ message, deliveryCount }) =>
      deliveryCount === 1 ? { kind: "retry", delayMs: 50, message } : done,
    );
    await transport.send({ name }, makeMessage({ body: "a" }));
    await eventually(() => consuming.bodies.length === 2);
    await consuming.stop();
  });

  it("refuses a key that is no stream, for good", async () => {
    const [client, name] = [openClient(redis.url), newName()];
    await client.set(name, "text");
    const transport = openTransport(redis.url);
    await expect(transport.send({ name }, makeMessage({}))).rejects.toMatchObject({ code: "INVALID_OPTION" });
    await expect(consume(transport, name).over).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  it("needs no more rights than its guide says", async () => {
    const [client, name] = [openClient(redis.url), newName()];
    const rights = "+@stream +@sortedset +@hash +@scripting +@transaction +@connection +time +info".split(" ");
    const user = `user-${name}`;
    await client.call("ACL", ["SETUSER", user, "on", ">password", `~${name}*`, "~dlo:*", ...rights]);
    const transport = openTransport(redis.url.replace("//", `//${user}:password@`));
    await transport.send({ name }, makeMessage({ body: "late" }), { delayMs: 10 });
    await transport.send({ name }, makeMessage({ body: "dead" }));
    const consuming = consume(transport, name, async (delivery) => {
      const { message, deliveryCount } = delivery;
      await delivery.charge([textHeader("charged", "yes")]);
      await delivery.extend(1_000);
      if (deliveryCount === 1) return { kind: "retry", delayMs: 1, message };
      return { kind: "dead-letter", to: { name: `${name}.dlq` }, message };
    });
    await eventually(async () => expect(await client.xlen(`${name}.dlq`)).toBe(2));
    await consuming.stop();
    await expect(transport.send({ name: "elsewhere" }, makeMessage({}))).rejects.toMatchObject({
      code: "ACCESS_REFUSED",
    });
  });

  it("refuses a message that is larger than it may be", async () => {
    const transport = openTransport(redis.url, { maxMessageBytes: 100 });
    const message = makeMessage({ body: new Uint8Array(101) });
    await expect(transport.send({ name: newName() }, message)).rejects.toMatchObject({ code: "MESSAGE_TOO_LARGE" });
  });
});
