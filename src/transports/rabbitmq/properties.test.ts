import fc from "fast-check";
import { expect, it } from "vitest";
import { type Header, textHeader } from "../../domain/message.ts";
import { decodeProperties, encodeProperties } from "./properties.ts";

const text = fc.string({ unit: "grapheme", maxLength: 20 }).map((value) => ({ type: "text", value }) as const);
const octet = fc.bigInt({ min: 0n, max: 255n }).map((value) => ({ type: "integer", value }) as const);
const timestamp = fc
  .bigInt({ min: 0n, max: 2n ** 54n })
  .map((value) => ({ type: "timestamp", value: value * 1_000n }) as const);

/** In AMQP's own order. */
const all = {
  "content-type": text,
  "content-encoding": text,
  "delivery-mode": fc.constant({ type: "integer", value: 1n } as const),
  priority: octet,
  "correlation-id": text,
  "reply-to": text,
  expiration: text,
  "message-id": text,
  timestamp,
  type: text,
  "user-id": text,
  "app-id": text,
  "cluster-id": text,
};

it("reads what it wrote", () => {
  fc.assert(
    fc.property(fc.record(all, { requiredKeys: [] }), (record) => {
      const properties = Object.keys(all).flatMap((name): Header[] => {
        const value = record[name as keyof typeof all];
        return value === undefined ? [] : [{ name, value }];
      });
      const headers = [textHeader("own", "header")];
      const decoded = decodeProperties(encodeProperties(properties.toReversed(), headers));
      expect(decoded.properties).toEqual(properties);
      expect(decoded.table.toString()).toContain("own");
    }),
  );
});

it("says nothing of a message being on disk, since all of ours are", () => {
  const bytes = encodeProperties([], []);
  expect(bytes).toEqual(Buffer.from([0x10, 0, 2]));
  expect(decodeProperties(bytes).properties).toEqual([]);
});

it("keeps text that is not UTF-8 as the bytes it is", () => {
  const properties: Header[] = [{ name: "message-id", value: { type: "bytes", value: Buffer.from([0xff, 0xfe]) } }];
  expect(decodeProperties(encodeProperties(properties, [])).properties).toEqual(properties);
});

it.each<[string, Header]>([
  ["Did you mean `message-id`?", textHeader("messageid", "1")],
  ["Send it as a header", textHeader("offset", "1")],
  ["Send it as a header", textHeader("headers", "1")],
  ["at most 255 bytes", textHeader("message-id", "x".repeat(256))],
  ["from 0 to 255", { name: "priority", value: { type: "integer", value: 256n } }],
  ["must be a timestamp", textHeader("timestamp", "now")],
])("refuses a property that AMQP does not have, or not so (%s)", (why, property) => {
  expect(() => encodeProperties([property], [])).toThrow(why);
});
