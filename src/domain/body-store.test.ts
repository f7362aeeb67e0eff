import { describe, expect, it } from "vitest";
import { type BodyStore, findBody, keepBody, readBody, readBodyIfPossible } from "./body-store.ts";

const body = Uint8Array.of(1, 2, 3);

function store(read: BodyStore["read"]): BodyStore {
  return { name: "s3", read, keep: () => Promise.resolve(), forget: () => Promise.resolve() };
}

describe("a body that a letter refers to", () => {
  const here = store((sha256) => Promise.resolve(sha256 === "ab12" ? body : null));
  const broken = store(() => Promise.reject(new Error("away")));

  it.each(["s3:ab12", "fs:ab12"])("is read by its hash from the store in force: %s", async (ref) => {
    expect(await readBody(here, ref)).toBe(body);
    expect(await findBody(here, ref)).toEqual({ kind: "here", bytes: body });
  });

  it("is null where it is not, or where nothing is kept", async () => {
    expect(await readBody(here, "fs:other")).toBeNull();
    expect(await readBody(null, "fs:ab12")).toBeNull();
  });

  it("fails with its store, except for what is shown or copied without it", async () => {
    await expect(readBody(broken, "s3:ab12")).rejects.toThrow("away");
    expect(await readBodyIfPossible(broken, "s3:ab12")).toBeNull();
    expect(await findBody(broken, "s3:ab12")).toEqual({
      kind: "unavailable",
      why: "The place where large bodies are kept can't be used (away). Look at `ledger.bodies` in the configuration.",
    });
  });

  it("is deleted where its store answers without it, and unavailable where there is no store", async () => {
    expect(await findBody(here, "s3:other")).toEqual({ kind: "deleted" });
    expect(await findBody(null, "s3:ab12")).toMatchObject({ kind: "unavailable" });
  });

  it("is not kept in a store that fails, and the refusal says so", async () => {
    const full = { ...here, keep: () => Promise.reject(new Error("ENOSPC: no space left on device")) };
    await expect(keepBody(full, "ab12", body)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("ENOSPC") as string,
    });
  });
});
