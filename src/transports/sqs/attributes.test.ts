import { describe, expect, it } from "vitest";
import { type Header, type HeaderValue, textHeader } from "../../domain/message.ts";
import { nativeHeaders, typeProperty } from "./attributes.ts";

describe("the type of an attribute", () => {
  const typeOf = (value: HeaderValue, cameAs: string) => {
    const headers: readonly Header[] = [{ name: "price", value }];
    return nativeHeaders(headers, [textHeader(`${typeProperty}price`, cameAs)])[0]?.value.DataType;
  };

  it.each<[HeaderValue, string]>([
    [{ type: "text", value: "1.5" }, "Number"],
    [{ type: "text", value: "-2.50e3" }, "Number.float"],
    [{ type: "text", value: "n/a" }, "String.note"],
    [{ type: "integer", value: 7n }, "Number.int"],
    [{ type: "bytes", value: Uint8Array.of(1) }, "Binary.gzip"],
  ])("is the one it came with: %o as %s", (value, type) => {
    expect(typeOf(value, type)).toBe(type);
  });

  it.each<[HeaderValue, string, string]>([
    [{ type: "text", value: "n/a" }, "Number", "String"],
    [{ type: "text", value: "0x1f8b" }, "Binary.gzip", "String"],
    [{ type: "integer", value: 7n }, "String.note", "Number"],
  ])("is not one that SQS refuses for what an edit made of it: %o as %s", (value, type, sent) => {
    expect(typeOf(value, type)).toBe(sent);
  });
});
