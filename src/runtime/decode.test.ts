import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { makeMessage } from "../domain/message.ts";
import { payloadDecoder, type StandardSchema, UndecodablePayload } from "./decode.ts";

interface Order {
  id: number;
  tags?: string[] | undefined;
}

const schemas: Record<string, StandardSchema<Order>> = {
  zod: z.object({ id: z.number(), tags: z.array(z.string()).optional() }),
  valibot: v.object({ id: v.number(), tags: v.optional(v.array(v.string())) }),
  arktype: type({ id: "number", "tags?": "string[]" }),
};

describe.each(Object.entries(schemas))("with %s", (_name, schema) => {
  const decode = payloadDecoder("json", schema);

  it("gives the handler a typed payload", async () => {
    const order = await decode(makeMessage({ body: '{"id":7,"tags":["a"]}' }));
    expect(order).toEqual({ id: 7, tags: ["a"] });
    expectTypeOf(order).toEqualTypeOf<Order>();
  });

  it("says where a payload does not match", () => {
    expect(() => decode(makeMessage({ body: '{"id":"seven"}' }))).toThrow(/id/);
    expect(() => decode(makeMessage({ body: "{}" }))).toThrow(UndecodablePayload);
  });
});

it("takes whatever keeps to the published specification", () => {
  expectTypeOf<StandardSchemaV1<unknown, Order>>().toExtend<StandardSchema<Order>>();
});

it("waits for a schema that validates asynchronously", async () => {
  const schema = z.object({ id: z.number() }).refine(async ({ id }) => id > 0, "not positive");
  const decode = payloadDecoder("json", schema);
  await expect(decode(makeMessage({ body: '{"id":1}' }))).resolves.toEqual({ id: 1 });
  await expect(decode(makeMessage({ body: '{"id":-1}' }))).rejects.toThrow("not positive");
});

it("names only the first complaints of many", () => {
  const decode = payloadDecoder("json", z.array(z.number()));
  const body = JSON.stringify(Array.from({ length: 1_000 }, () => "x"));
  expect(() => decode(makeMessage({ body }))).toThrow(/and 995 more$/);
});

it("decodes text and bytes, and refuses bytes that are no text", () => {
  expect(payloadDecoder("text", undefined)(makeMessage({ body: "héllo" }))).toBe("héllo");
  expect(payloadDecoder("bytes", undefined)(makeMessage({ body: Uint8Array.of(255) }))).toEqual(Uint8Array.of(255));
  expect(() => payloadDecoder("text", undefined)(makeMessage({ body: Uint8Array.of(255) }))).toThrow(
    UndecodablePayload,
  );
});

it("takes a function that throws for a payload that cannot be read", () => {
  const decode = payloadDecoder(() => {
    throw new RangeError("truncated");
  }, undefined);
  expect(() => decode(makeMessage({ body: "x" }))).toThrow("The payload could not be decoded: truncated");
});
