import { expect, it } from "vitest";
import { makeMessage, textHeader } from "./message.ts";
import { schemaOfMessage } from "./message-schema.ts";

it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string | null]>([
  ["nothing", {}, {}, null],
  ["an AMQP type", {}, { type: "order" }, "order"],
  ["a type with its version beside it", { "schema-version": "v3" }, { type: "order" }, "order@3"],
  ["a type with its version in it", { "schema-version": "4" }, { type: "shop.Order.v3" }, "shop.Order.v3"],
  ["an event", { ce_type: "order", ce_dataschema: "https://shop.example/schemas/order/3" }, {}, "order@3"],
  ["Spring", { __TypeId__: "com.shop.Order" }, {}, "com.shop.Order"],
  ["a vendor's media type", {}, { "content-type": "application/vnd.shop.order.v3+json" }, "shop.order.v3"],
  ["parameters", { "content-type": "application/json; schema=order; version=3" }, {}, "order@3"],
  ["JSON", { "content-type": "application/json; charset=utf-8" }, {}, null],
])("reads the schema that a message says it has: %s", (_what, headers, properties, schema) => {
  const all = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => textHeader(name, value));
  expect(schemaOfMessage(makeMessage({ headers: all(headers), properties: all(properties) }))).toBe(schema);
});
