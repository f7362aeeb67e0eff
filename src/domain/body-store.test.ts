import { describe, expect, it } from "vitest";
import { type BodyStore, readBody, readBodyToShow } from "./body-store.ts";

const body = Uint8Array.of(1, 2, 3);

function store(read: BodyStore["read"]): BodyStore {
  return { name: "s3", read, keep: () => Promise.resolve(), forget: () => Promise.resolve() };
}

describe("a body that a letter refers to", () => {
  const here = store((sha256) => Promise.resolve(sha256 === "ab12" ? body : null));
  const broken = store(() => Promise.reject(new Error("away")));

  it.each(["s3:ab12", "fs:ab12"])("is read by its hash from the store in force: %s", async (ref) => {
    expect(await readBody(here, ref)).toBe(body);
    expect(await readBodyToShow(here, ref)).toBe(body);
  });

  it("is null where it is not, or where nothing is kept", async () => {
    expect(await readBody(here, "fs:other")).toBeNull();
    expect(await readBody(null, "fs:ab12")).toBeNull();
  });

  it("fails with its store, except for whoever only shows it", async () => {
    await expect(readBody(broken, "s3:ab12")).rejects.toThrow("away");
    expect(await readBodyToShow(broken, "s3:ab12")).toBeNull();
  });
});
