import { expect, it } from "vitest";
import { passwordKeeper } from "./passwords.ts";

it("computes two at once at most, whoever asks: more would take the server's memory", async () => {
  let begun = 0;
  const { hash } = passwordKeeper(() => `salt${++begun}`);
  const hashing = ["one", "two", "three"].map((each) => hash(`correct horse battery ${each}`));
  await new Promise((resolve) => void setImmediate(resolve));
  expect(begun).toBe(2);
  expect(new Set(await Promise.all(hashing)).size).toBe(3);
  expect(begun).toBe(3);
});
