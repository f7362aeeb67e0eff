import fc from "fast-check";
import { expect, it } from "vitest";
import { makeMessage, textHeader } from "../../domain/message.ts";
import { decodeRecord, encodeRecord, restOf, withRest } from "./record-codec.ts";

const bytes = fc.uint8Array({ maxLength: 40 }).map((some) => Buffer.from(some));
const records = fc.record({
  key: fc.option(bytes, { nil: null }),
  value: fc.option(bytes, { nil: null }),
  headers: fc.array(
    fc.tuple(
      fc.string({ maxLength: 12 }).map((name) => Buffer.from(name)),
      fc.option(bytes, { nil: null }),
    ),
    { maxLength: 6 },
  ),
});

it("sends whatever was received on as exactly the same record: null, binary and repeated headers, tombstones", () => {
  fc.assert(
    fc.property(records, (record) => {
      expect(encodeRecord(decodeRecord(record))).toEqual(record);
    }),
  );
});

it("reads text as text and all else as bytes", () => {
  const headers = [
    [Buffer.from("text"), Buffer.from("yes")],
    [Buffer.from("binary"), Buffer.of(0xff, 0xfe)],
    [Buffer.from("nothing"), null],
  ] as const;
  expect(decodeRecord({ key: null, value: Buffer.of(), headers }).headers.map(({ value }) => value.type)).toEqual([
    ...["text", "bytes", "null"],
  ]);
});

it("reads a record without a value as an empty body with a marker", () => {
  const message = decodeRecord({ key: Buffer.from("k"), value: null, headers: [] });
  expect([message.body.length, message.properties]).toEqual([
    0,
    [{ name: "tombstone", value: { type: "boolean", value: true } }],
  ]);
});

it("makes no tombstone of a body that is not empty", () => {
  const properties = [textHeader("tombstone", "yes")];
  expect(encodeRecord(makeMessage({ body: "x", properties })).value).toEqual(Buffer.from("x"));
});

it("carries properties of other brokers among the headers", () => {
  const message = makeMessage({ body: "x", headers: { own: "1" }, properties: [textHeader("message-id", "m-1")] });
  const decoded = decodeRecord(encodeRecord(message));
  expect([decoded.headers, decoded.properties]).toEqual([message.headers, message.properties]);
});

it.each([
  [{ type: "integer", value: 9_007_199_254_740_993n }, "9007199254740993"],
  [{ type: "double", value: 0.5 }, "0.5"],
  [{ type: "boolean", value: true }, "true"],
  [{ type: "timestamp", value: 1n }, "1"],
  [
    {
      type: "list",
      value: [
        { type: "integer", value: 1n },
        { type: "bytes", value: Uint8Array.of(1) },
      ],
    },
    '["1","AQ=="]',
  ],
  [{ type: "table", value: [textHeader("a", "1"), textHeader("a", "2")] }, '[["a","1"],["a","2"]]'],
] as const)("writes %o as text", (value, text) => {
  const [header] = encodeRecord(makeMessage({ headers: [{ name: "h", value }] })).headers;
  expect(header?.[1]?.toString()).toBe(text);
});

it("carries what is left of a delay where no handler sees it, and drops it when nothing is left", () => {
  const record = encodeRecord(makeMessage({ body: "x", headers: { own: "1" } }));
  const waiting = withRest(record, 3_000, 250);
  expect(restOf(waiting)).toEqual({ restMs: 3_000, slackMs: 250 });
  expect(decodeRecord(waiting).headers).toEqual(decodeRecord(record).headers);
  expect(restOf(withRest(waiting, 1_000, 250))).toEqual({ restMs: 1_000, slackMs: 250 });
  expect(withRest(waiting, 0, 250)).toEqual(record);
});

it.each(["", "soon", "-5 1", "NaN"])("does not wait for a rest that is none: %s", (text) => {
  const headers = [[Buffer.from("dlo-wait"), Buffer.from(text)]] as const;
  expect(restOf({ key: null, value: null, headers })).toBeUndefined();
});
