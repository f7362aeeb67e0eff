import { expect, it } from "vitest";
import { askOnce } from "./ask-once.ts";

it("asks once for all who ask under a name, and again after it failed", async () => {
  const known = new Map<string, Promise<string>>();
  let asked = 0;
  const ask = async () => {
    asked += 1;
    if (asked === 1) throw new Error("away");
    return `answer ${asked}`;
  };
  const both = await Promise.allSettled([askOnce(known, "a", ask), askOnce(known, "a", ask)]);
  expect([both.map(({ status }) => status), asked]).toEqual([["rejected", "rejected"], 1]);
  expect([await askOnce(known, "a", ask), await askOnce(known, "a", ask)]).toEqual(["answer 2", "answer 2"]);
});

it("keeps what was asked for anew, when the first of that name fails late", async () => {
  const known = new Map<string, Promise<string>>();
  let fail = () => {};
  const first = new Promise<string>((_resolve, reject) => {
    fail = () => reject(new Error("late"));
  });
  const failing = askOnce(known, "a", () => first);
  known.clear();
  const second = askOnce(known, "a", async () => "second");
  fail();
  await expect(failing).rejects.toThrow("late");
  expect(await askOnce(known, "a", async () => "third")).toBe(await second);
});
