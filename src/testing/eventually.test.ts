import { expect, it } from "vitest";
import { eventually } from "./eventually.ts";

it("waits until the condition holds", async () => {
  let looks = 0;
  await eventually(() => {
    looks += 1;
    if (looks === 1) throw new Error("not yet");
    return looks > 2;
  });
  expect(looks).toBe(3);
});

it("looks less often the longer it takes", async () => {
  let looks = 0;
  const never = () => {
    looks += 1;
    return false;
  };
  await expect(eventually(never, { withinMs: 500 })).rejects.toThrow();
  expect(looks).toBeLessThan(60);
});

it("rejects as the condition last threw when the time is over", async () => {
  const never = () => Promise.reject(new Error("still closed"));
  await expect(eventually(never, { withinMs: 20 })).rejects.toThrow("still closed");
});

it("shows the condition that never came true", async () => {
  await expect(eventually(() => 1 > 2, { withinMs: 0 })).rejects.toThrow("1 > 2");
});
