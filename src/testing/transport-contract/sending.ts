import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { done, headerText, type MessageParts, makeMessage, textHeader } from "../../domain/message.ts";
import { systemClock } from "../../system/host.ts";
import type { Bench } from "./bench.ts";
import type { TransportPromise } from "./promises.ts";
import { assertSameHeaders, assertSameMessage } from "./same-message.ts";

/** What `send` promises. */
export const sending: readonly TransportPromise[] = [
  {
    title: "has a message durably once send resolves, whatever becomes of the sender",
    async run(bench) {
      await bench.send("kept");
      await bench.crash(bench.transport);
      const received = bench.collect({ on: await bench.connect() });
      await received.delivery(1);
      deepEqual(received.bodies(), ["kept"]);
    },
  },
  {
    title: "rejects a send that the broker refuses",
    offers: "failSendsTo",
    async run(bench) {
      await bench.subject.failSendsTo?.(bench.transport, bench.queue);
      await rejects(bench.send("refused"));
    },
  },
  {
    title: "says how many messages lie in a queue, where it can, and takes none of them",
    async run(bench) {
      const { transport, queue } = bench;
      if (transport.depth === undefined) return;
      equal(await transport.depth(bench.address("of nobody")), 0);
      for (const body of ["a", "b", "c"]) await bench.send(body);
      equal(await transport.depth(queue), 3);
      const received = bench.collect();
      await received.delivery(3);
      deepEqual([received.bodies().toSorted(), (await received.delivery(1)).redelivered], [["a", "b", "c"], false]);
    },
  },
  {
    title: "keeps the bytes as they were when sent, though the sender uses its buffer again",
    async run(bench) {
      const body = Buffer.from("first");
      await bench.sendMessage({ body });
      body.write("later");
      const delivery = await bench.collect().delivery(1);
      equal(Buffer.from(delivery.message.body).toString(), "first");
    },
  },
  {
    title: "delivers an answer to the requester's own address, once",
    claims: "replyAddresses",
    offers: "requesters",
    async run(bench) {
      for (const requester of (await bench.subject.requesters?.()) ?? []) {
        const consuming = bench.consume(async ({ message }) => {
          await bench.transport.send(requester.address, message);
          return done;
        });
        await bench.send("first", "second");
        await bench.eventually(() => requester.answers().includes("second"));
        await consuming.stop();
        deepEqual(requester.answers(), ["first", "second"]);
        deepEqual(consuming.bodies(), ["first", "second"]);
        deepEqual(consuming.incidents, []);
        await requester.leave();
      }
    },
  },
  unchanged("delivers an empty body", { body: "" }),
  unchanged("delivers a body of 1 MB", { body: pattern(1_048_576) }),
  unchanged("delivers bytes that are no text: NUL, and what is not UTF-8", {
    body: Uint8Array.of(0, 0xff, 0xfe, 0x80, 0, 0xed, 0xa0, 0x80),
  }),
  unchanged("delivers text exactly, its byte order mark too", { body: "\ufeffÜnïcödé 日本語 🙂" }),
  unchanged("delivers all 256 bytes", { body: Uint8Array.from({ length: 256 }, (_, index) => index) }),
  unchanged("delivers a message without headers", { body: "bare", headers: [] }),
  {
    title: "delivers text headers exactly, whatever language or length",
    async run(bench) {
      const texts = { plain: "yes", empty: "", wide: "Ünïcödé 日本語 🙂", long: "x".repeat(4_000), quotes: `"'\\{},` };
      await bench.sendMessage({ body: "x", headers: texts });
      const { message } = await bench.collect().delivery(1);
      for (const [name, value] of Object.entries(texts)) equal(headerText(message.headers, name), value);
    },
  },
  unchanged("keeps headers in order", {
    headers: ["b", "a", "d", "c", "A"].map((name, index) => textHeader(name, String(index))),
  }),
  {
    ...unchanged("keeps repeated headers, each in its place", {
      headers: [textHeader("tag", "one"), textHeader("other", "x"), textHeader("tag", "two"), textHeader("tag", "one")],
    }),
    claims: "repeatedHeaders",
  },
  {
    ...unchanged("keeps integers of 64 bits to the last digit", {
      headers: [9_007_199_254_740_993n, -9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n, 0n].map((value) => ({
        name: `n${value}`,
        value: { type: "integer", value },
      })),
    }),
    claims: "typedHeaders",
  },
  {
    ...unchanged("keeps binary header values", {
      headers: [
        { name: "digest", value: { type: "bytes", value: Uint8Array.of(0, 255, 128, 10, 13) } },
        { name: "none", value: { type: "bytes", value: new Uint8Array() } },
      ],
    }),
    claims: "typedHeaders",
  },
  {
    ...unchanged("keeps the type of every header value", {
      headers: [
        { name: "text", value: { type: "text", value: "1" } },
        { name: "double", value: { type: "double", value: 0.1 } },
        { name: "whole-double", value: { type: "double", value: 3 } },
        { name: "boolean", value: { type: "boolean", value: false } },
        { name: "timestamp", value: { type: "timestamp", value: 1_767_225_600_000n } },
        { name: "null", value: { type: "null", value: null } },
        {
          name: "list",
          value: {
            type: "list",
            value: [
              { type: "integer", value: 1n },
              { type: "list", value: [] },
            ],
          },
        },
        {
          name: "table",
          value: { type: "table", value: [{ name: "inner", value: { type: "bytes", value: Uint8Array.of(0) } }] },
        },
      ],
    }),
    claims: "typedHeaders",
  },
  {
    ...unchanged("keeps timestamps to the millisecond", {
      headers: [{ name: "at", value: { type: "timestamp", value: 1_767_225_600_123n } }],
    }),
    claims: "typedHeaders",
  },
  unchanged("delivers the key exactly, also one that is no text", { key: Uint8Array.of(0, 255, 128, 65) }),
  unchanged("delivers properties", {
    properties: [textHeader("message-id", "m-1"), textHeader("content-type", "text/plain")],
  }),
  {
    title: "does not deliver a delayed message before its time",
    async run(bench) {
      const received = bench.collect();
      const sentAt = systemClock.now();
      await bench.sendMessage({ body: "later" }, { delayMs: 300 });
      await received.delivery(1);
      ok(systemClock.now() - sentAt >= 295, `it came after ${systemClock.now() - sentAt} ms`);
    },
  },
  {
    title: "does not hold up the messages behind a delayed one",
    async run(bench) {
      let isListening = false;
      const received = bench.collect({
        listening() {
          isListening = true;
        },
      });
      await bench.eventually(() => isListening);
      await bench.sendMessage({ body: "much later" }, { delayMs: 60_000 });
      await bench.sendMessage({ body: "later" }, { delayMs: 1_500 });
      await bench.send("now");
      await received.delivery(2);
      deepEqual(received.bodies(), ["now", "later"]);
    },
  },
];

function unchanged(title: string, parts: MessageParts): TransportPromise {
  return {
    title,
    async run(bench: Bench) {
      const sent = makeMessage(parts);
      await bench.transport.send(bench.queue, sent);
      const { message } = await bench.collect().delivery(1);
      assertSameHeaders(message.headers, sent.headers);
      assertSameMessage(message, sent);
    },
  };
}

function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31) % 256);
}
