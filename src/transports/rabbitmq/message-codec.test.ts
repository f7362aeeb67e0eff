import { expect, it } from "vitest";
import { type Header, makeMessage, textHeader } from "../../domain/message.ts";
import {
  decodeMessage,
  encodeMessage,
  encodeOnward,
  encodeReturned,
  isSentOnUnchanged,
  type Parcel,
} from "./message-codec.ts";
import { encodeProperties } from "./properties.ts";

const us = { user: "guest", delayed: false, sendId: "send-1" };

/** A delivery from the queue `orders` with these headers, as the broker gives it. */
function delivered(headers: readonly Header[], properties: readonly Header[] = []): Parcel {
  return { properties: encodeProperties(properties, headers), body: Buffer.from("x") };
}

const decode = (parcel: Parcel) => decodeMessage(parcel, "orders", "x-delivery-count");
const integer = (name: string, value: bigint): Header => ({ name, value: { type: "integer", value } });

function deathIn(...queues: string[]): Header[] {
  const deaths = queues.map((queue) => ({ type: "table", value: [textHeader("queue", queue)] }) as const);
  return [
    { name: "x-death", value: { type: "list", value: deaths } },
    textHeader("x-first-death-queue", queues[0] ?? ""),
  ];
}

const names = (headers: readonly Header[]) => headers.map(({ name }) => name);

it("carries the key as the header dlo-order, as text where it is text", () => {
  const parcel = encodeMessage(makeMessage({ key: "k-1", headers: { own: "header" } }), us);
  expect(parcel.properties.toString()).toContain("dlo-orderS\0\0\0\x03k-1");
  const { message } = decode(parcel);
  expect([names(message.headers), Buffer.from(message.key ?? []).toString()]).toEqual([["own"], "k-1"]);
});

it("tells how often the broker gave it out before, and not in the headers", () => {
  const { message, earlier } = decode(delivered([integer("x-delivery-count", 2n), textHeader("own", "header")]));
  expect([names(message.headers), earlier]).toEqual([["own"], 2]);
  expect(decode(delivered([textHeader("own", "header")])).earlier).toBeNull();
});

it("hides the deaths that are only our own delays", () => {
  const waited = decode(delivered([...deathIn("orders.retry.10s", "orders.retry.5m"), textHeader("own", "header")]));
  expect(names(waited.message.headers)).toEqual(["own"]);
});

it("shows every other death: it is all that is known of a letter", () => {
  const headers = [...deathIn("orders", "orders.retry.10s"), textHeader("own", "header")];
  expect(decode(delivered(headers)).message.headers).toEqual(headers);
  const unlike = [textHeader("x-death", "whatever")];
  expect(decode(delivered(unlike)).message.headers).toEqual(unlike);
});

it("never sends what is the broker's to say", () => {
  const message = makeMessage({
    headers: [
      ...deathIn("orders"),
      integer("x-delivery-count", 1n),
      integer("x-acquired-count", 1n),
      textHeader("own", "header"),
    ],
  });
  for (const parcel of [encodeMessage(message, us), encodeOnward(message, "guest", "send-1")]) {
    expect(names(decode(parcel).message.headers)).toEqual(["own"]);
  }
});

it("keeps its deaths where it goes back among the dead letters, and nothing that counts deliveries", () => {
  const headers = [...deathIn("orders"), integer("x-delivery-count", 1n), textHeader("CC", "others")];
  expect(decode(encodeReturned(makeMessage({ headers }), "guest")).message.headers).toEqual(deathIn("orders"));
});

it("leaves out what would make a message vanish, be refused or be copied when it is sent on", () => {
  const message = makeMessage({
    headers: { CC: "others", BCC: "others", own: "header" },
    properties: [textHeader("expiration", "100"), textHeader("message-id", "m-1"), textHeader("user-id", "alice")],
  });
  const onward = decode(encodeOnward(message, "guest", "send-1")).message;
  expect([names(onward.headers), names(onward.properties)]).toEqual([["own"], ["message-id"]]);
  const ours = decode(encodeOnward(message, "alice", "send-1")).message;
  expect(names(ours.properties)).toEqual(["message-id", "user-id"]);
});

it("knows what can be sent on without anybody seeing a difference", () => {
  const plain = { headers: { own: "header" }, properties: [textHeader("message-id", "m-1")] };
  expect(isSentOnUnchanged(makeMessage(plain), "guest")).toBe(true);
  expect(isSentOnUnchanged(makeMessage({ properties: [textHeader("user-id", "guest")] }), "guest")).toBe(true);
  for (const parts of [
    { properties: [textHeader("user-id", "alice")] },
    { properties: [textHeader("expiration", "100")] },
    { headers: { CC: "others" } },
    { headers: deathIn("elsewhere") },
  ]) {
    expect(isSentOnUnchanged(makeMessage(parts), "guest")).toBe(false);
  }
});

it("lets a message expire where it is sent, but not while it is delayed", () => {
  const message = makeMessage({ properties: [textHeader("expiration", "100")] });
  expect(names(decode(encodeMessage(message, us)).message.properties)).toEqual(["expiration"]);
  expect(decode(encodeMessage(message, { ...us, delayed: true })).message.properties).toEqual([]);
});

it("refuses to send in somebody else's name, and a header twice", () => {
  const alices = makeMessage({ properties: [textHeader("user-id", "alice")] });
  expect(() => encodeMessage(alices, us)).toThrow("it is alice, and the connection belongs to guest");
  const twice = makeMessage({ headers: [textHeader("tag", "one"), textHeader("tag", "two")] });
  expect(() => encodeMessage(twice, us)).toThrow("Send one with a list of values");
});

it("says which sending a message is to the next transport, and to nobody else", () => {
  const forged = makeMessage({ headers: { "dlo-send-id": "a stranger's", own: "header" } });
  const received = decode(encodeMessage(forged, us));
  expect([received.sendId, names(received.message.headers)]).toEqual([us.sendId, ["own"]]);
  expect(decode(encodeOnward(received.message, "guest", "send-2")).sendId).toBe("send-2");
  // Back among the dead letters it is told from others by its failure.
  expect(decode(encodeReturned(received.message, "guest")).sendId).toBe(null);
  const dead = makeMessage({ headers: { "dlo-failure": "f00d" } });
  expect(decode(encodeReturned(dead, "guest")).sendId).toBe("f00d");
});
