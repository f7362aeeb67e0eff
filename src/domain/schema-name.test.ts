import { expect, it } from "vitest";
import { parseSchemaName } from "./schema-name.ts";

it.each([
  ["order@3", "order", "3"],
  ["order:v3", "order", "3"],
  ["shop/order/3.1", "shop/order", "3.1"],
  ["com.shop.OrderPlaced.v2", "com.shop.OrderPlaced", "2"],
  ["order-v12", "order", "12"],
  ["Shop.OrderCreated", "Shop.OrderCreated", null],
  ["order2", "order2", null],
  ["iso.20022", "iso.20022", null],
  ["@3", "@3", null],
])("takes %s apart", (text, name, version) => {
  expect(parseSchemaName(text)).toEqual({ name, version });
});

it("knows nothing where nothing is said", () => {
  expect(parseSchemaName(null)).toEqual({ name: null, version: null });
  expect(parseSchemaName(" ")).toEqual({ name: null, version: null });
});
