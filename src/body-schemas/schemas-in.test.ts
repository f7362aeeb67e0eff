import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { schemasIn } from "./schemas-in.ts";

const order = {
  type: "object",
  required: ["total"],
  properties: {
    total: { type: "number", minimum: 0 },
    currency: { enum: ["EUR", "USD"] },
    id: { type: "string", pattern: "^ord_" },
    note: { type: "string", pattern: "^(a+)+$" },
  },
  additionalProperties: false,
};

const complaintsAbout = async (body: unknown, schema: object = order) =>
  (await compileSchema(JSON.stringify(schema), "order.json")).complaintsAbout(body);

describe("a schema", () => {
  it("names every place that is not as it says, and nothing of what stands there", async () => {
    expect(await complaintsAbout({ total: 1, currency: "EUR", id: "ord_1" })).toEqual([]);
    expect(await complaintsAbout({ total: -4711, currency: "secret", extra: 1 })).toEqual([
      { path: "", message: 'must NOT have additional properties: "extra"' },
      { path: "/total", message: "must be >= 0" },
      { path: "/currency", message: 'must be equal to one of the allowed values: ["EUR","USD"]' },
    ]);
    expect(await complaintsAbout({})).toEqual([{ path: "", message: "must have required property 'total'" }]);
  });

  it("tells its patterns apart, and takes no time for ever over any", async () => {
    const note = `${"a".repeat(5_000)}!`;
    expect(await complaintsAbout({ total: 1, id: "inv_1", note })).toEqual([
      { path: "/id", message: 'must match pattern "^ord_"' },
      { path: "/note", message: 'must match pattern "^(a+)+$"' },
    ]);
    expect(await complaintsAbout({ total: 1, id: "ord_1", note: "aaa" })).toEqual([]);
  });

  it("is of 2020-12, or of draft 7 where it says so", async () => {
    const pair = { type: "array", items: [{ type: "number" }] };
    const draft7 = { $schema: "http://json-schema.org/draft-07/schema#", ...pair };
    expect(await complaintsAbout(["x"], draft7)).toEqual([{ path: "/0", message: "must be number" }]);
    await expect(complaintsAbout(["x"], pair)).rejects.toThrow("items must be object,boolean");
    expect(await complaintsAbout(["x"], { type: "array", prefixItems: pair.items })).toHaveLength(1);
  });
});

describe("schemas of a configuration", () => {
  const folder = mkdtempSync(join(tmpdir(), "dlo-schemas-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

  it("are found by queue and kind, the first that matches", async () => {
    for (const file of ["refund.json", "order.json"]) write(file, "{}");
    const schemaFor = schemasIn(
      [
        { queue: "orders*", type: "Refund*", file: "refund.json" },
        { queue: "orders*", type: "*", file: "order.json" },
      ],
      folder,
    );
    const nameOf = async (queue: string, type: string | null) => (await schemaFor({ queue, type }))?.name ?? null;
    expect(await nameOf("orders.eu", "Refund@2")).toBe("refund.json");
    expect(await nameOf("orders.eu", "Order")).toBe("order.json");
    expect(await nameOf("orders", null)).toBe("order.json");
    expect(await nameOf("invoices", "Refund")).toBeNull();
  });

  it("that cannot be used are refused by name when they are needed, until they can", async () => {
    const schemaFor = schemasIn([{ queue: "*", type: "*", file: "late.json" }], folder);
    const find = () => schemaFor({ queue: "orders", type: null });
    const refusal = { code: "INVALID_CONFIG", details: { file: "late.json" } };
    await expect(find()).rejects.toMatchObject(refusal);
    for (const text of ["{", '{"type":"nonsense"}', '{"$ref":"https://shop.example/order.json"}']) {
      write("late.json", text);
      await expect(find()).rejects.toMatchObject(refusal);
    }
    write("late.json", '{"type":"object"}');
    expect((await find())?.complaintsAbout(1)).toEqual([{ path: "", message: "must be object" }]);
  });

  it("are read again once they were mended", async () => {
    const schemaFor = schemasIn([{ queue: "*", type: "*", file: "mended.json" }], folder);
    const complaints = async () => (await schemaFor({ queue: "orders", type: null }))?.complaintsAbout(1);
    write("mended.json", '{"type":"object"}');
    expect(await complaints()).toHaveLength(1);
    expect(await schemaFor({ queue: "a", type: null })).toBe(await schemaFor({ queue: "b", type: null }));
    write("mended.json", '{"type":"number"}');
    utimesSync(join(folder, "mended.json"), 1, 1);
    expect(await complaints()).toEqual([]);
  });
});
