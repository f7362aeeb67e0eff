import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sealing } from "./sealing.ts";

const secret = "amqp://dlo:hunter2@rabbit";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "dlo-seal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe("what is sealed", () => {
  it("opens for the same thing with the same key, in another process too, and shows nothing of itself", async () => {
    const folder = temporaryFolder();
    const sealed = await sealing({ key: undefined, folder }).seal(secret, "source rabbit");
    expect(Buffer.from(sealed).toString("latin1")).not.toContain("hunter2");
    expect(await sealing({ key: undefined, folder }).open(sealed, "source rabbit")).toBe(secret);
  });

  it("is another text each time", async () => {
    const { seal } = sealing({ key: "ab".repeat(32), folder: "" });
    expect(await seal(secret, "a")).not.toEqual(await seal(secret, "a"));
  });

  it.each([
    ["for another thing", "source other", (bytes: Uint8Array) => bytes],
    ["when a byte was changed", "source rabbit", (bytes: Uint8Array) => bytes.with(14, (bytes[14] ?? 0) ^ 1)],
    ["when it was cut", "source rabbit", (bytes: Uint8Array) => bytes.subarray(0, -1)],
  ])("does not open %s", async (_, about, change) => {
    const { seal, open } = sealing({ key: "ab".repeat(32), folder: "" });
    const sealed = await seal(secret, "source rabbit");
    await expect(open(change(sealed), about)).rejects.toMatchObject({ code: "INVALID_CONFIG" });
  });

  it("does not open with another key, and says what to do", async () => {
    const sealed = await sealing({ key: "ab".repeat(32), folder: "" }).seal(secret, "source rabbit");
    const other = sealing({ key: "cd".repeat(32), folder: "" });
    await expect(other.open(sealed, "source rabbit")).rejects.toThrow(/sealed with another key.*Type it again/);
  });
});

describe("the key", () => {
  it("is made once however many need it at first, and only its owner can read it", async () => {
    const folder = temporaryFolder();
    const all = Array.from({ length: 5 }, () => sealing({ key: undefined, folder }));
    const sealed = await Promise.all(all.map(({ seal }) => seal(secret, "a")));
    for (const each of sealed) expect(await all[0]?.open(each, "a")).toBe(secret);
    expect(readdirSync(folder)).toEqual(["secret.key"]);
    expect(statSync(join(folder, "secret.key")).mode & 0o777).toBe(0o600);
  });

  it("is refused where it is none", async () => {
    await expect(sealing({ key: "too short", folder: "" }).seal(secret, "a")).rejects.toThrow(/openssl rand -hex 32/);
  });
});
