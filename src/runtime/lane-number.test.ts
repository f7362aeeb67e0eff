import { expect, it } from "vitest";
import { makeMessage, textHeader } from "../domain/message.ts";
import { isRevived, laneNumber, markOf, withLaneNumber, withoutLaneNumber } from "./lane-number.ts";

const plain = makeMessage({ body: "x", headers: { tenant: "acme", region: "eu" } });

it("writes a number and reads it again, on its own queue alone", () => {
  const { headers } = withLaneNumber(plain, "orders", 7);
  expect([laneNumber(headers, "orders"), laneNumber(headers, "invoices")]).toEqual([7, null]);
  expect(laneNumber(withoutLaneNumber(withLaneNumber(plain, "orders", 7)).headers, "orders")).toBeNull();
});

it.each(["", "0", "-1", "1.5", "seven", "9007199254740993"])("takes %j for no number", (text) => {
  const headers = [textHeader("dlo-queue", "orders"), textHeader("dlo-lane", text)];
  expect(laneNumber(headers, "orders")).toBeNull();
});

it.each([
  ["put back by hand", { "dlo-queue": "orders", "dlo-reason": "poison", "dlo-attempt": "3" }, true],
  ["replayed", { "dlo-queue": "orders", "dlo-letter": "ltr_1", "dlo-replay": "rpl_1/1" }, true],
  ["replayed and tried again", { "dlo-queue": "orders", "dlo-replay": "rpl_1/1", "dlo-attempt": "1" }, false],
  ["replayed elsewhere", { "dlo-queue": "invoices", "dlo-replay": "rpl_1/1" }, false],
  ["new", { "dlo-queue": "orders" }, false],
])("tells whether a message was dead that is %s", (_what, headers, isDead) => {
  expect(isRevived(makeMessage({ body: "x", headers }).headers, "orders")).toBe(isDead);
});

it("knows a message again by its place, whatever became of its headers", () => {
  const charged = { ...plain, headers: [] };
  expect(markOf({ message: charged, position: "17" })).toEqual(markOf({ message: plain, position: "17" }));
  expect(markOf({ message: plain, position: "18" })).not.toEqual(markOf({ message: plain, position: "17" }));
});

it("knows a message again without a place, in whatever order its headers come and whatever we added", () => {
  const again = {
    ...plain,
    headers: [textHeader("dlo-attempt", "1"), textHeader("region", "eu"), textHeader("tenant", "acme")],
  };
  const mark = (message: typeof plain) => Buffer.from(markOf({ message, position: null })).toString("hex");
  expect(mark(again)).toBe(mark(plain));
  const others = [
    makeMessage({ body: "y", headers: plain.headers }),
    makeMessage({ body: "x", headers: { tenant: "acme" } }),
    makeMessage({ body: "x", headers: plain.headers, properties: [textHeader("message-id", "1")] }),
  ];
  for (const other of others) expect(mark(other)).not.toBe(mark(plain));
});
