import { expect, it } from "vitest";
import { join, tell } from "./observers.ts";

interface Listener {
  event?(event: string): void;
}

it("tells everybody, whatever one of them throws", () => {
  const heard: string[] = [];
  const throwing = {
    event() {
      throw new Error("mine");
    },
  };
  tell<string>([throwing, {}, { event: (event) => heard.push(event) }], "news");
  expect(heard).toEqual(["news"]);
});

it("lets an observer be async, and its rejection end nothing", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const event = (): unknown => Promise.reject(new Error("mine"));
  tell([{ event }], "news");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

it("tells nothing more to whoever has left, and everybody else while one leaves", () => {
  const heard: string[] = [];
  const observers: Listener[] = [];
  const leave = join(observers, {
    event() {
      heard.push("first");
      leave();
      leave();
    },
  });
  join(observers, { event: () => void heard.push("second") });
  tell(observers, "a");
  tell(observers, "b");
  expect(heard).toEqual(["first", "second", "second"]);
});
