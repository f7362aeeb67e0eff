import { expect, it } from "vitest";
import { compileSchema } from "../../body-schemas/compile-schema.ts";
import { requireSchema } from "./require-schema.ts";

it("refuses, and says why, what is nested too deeply to be held to a schema that refers to itself", async () => {
  const schema = await compileSchema('{"type":"array","items":{"$ref":"#"}}', "lists");
  const nested = (levels: number) => Buffer.from("[".repeat(levels) + "]".repeat(levels));
  expect(() => requireSchema(schema, nested(200_000))).toThrow("nested too deeply to be held to a schema");
  expect(() => requireSchema(schema, nested(20))).not.toThrow();
});
