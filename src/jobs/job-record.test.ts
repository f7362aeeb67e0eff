import { expect, it } from "vitest";
import { hashProperty, property } from "./job-record.ts";

it("keeps both ends of a long text, and the newest of a long list", () => {
  const trace = `Traceback\n${"x".repeat(1_000_000)}\nPaymentError: declined`;
  const { value } = property("errors", [...Array.from({ length: 5_000 }, (_, index) => index), trace]);
  if (value.type !== "list") throw new Error("It is a list.");
  const last = value.value.at(-1);
  expect([value.value.length, value.value[0]]).toEqual([1_000, { type: "integer", value: 4_001n }]);
  expect(last?.type === "text" && last.value.length < 66_000).toBe(true);
  expect(last?.value).toMatch(/^Traceback\nx+ … x+\nPaymentError: declined$/);
});

it("cuts what a hash has of bytes, and leaves what is short as it is", () => {
  const fields = new Map([
    ["msg", Buffer.alloc(100_000, 0xff)],
    ["state", Buffer.from("archived")],
  ]);
  const { value } = hashProperty(fields);
  if (value.type !== "table") throw new Error("It is a table.");
  const [msg, state] = value.value;
  expect(msg?.value.type === "bytes" && msg.value.value.length).toBe(65_536);
  expect(state?.value).toEqual({ type: "text", value: "archived" });
});
