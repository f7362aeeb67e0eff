import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { writeLines } from "./backup-file.ts";

describe("writing a backup's file", () => {
  const folder = mkdtempSync(join(tmpdir(), "dlo-write-lines-"));
  const file = join(folder, "office.backup");
  afterAll(() => rmSync(folder, { recursive: true }));

  it("leaves no file behind that is not whole", async () => {
    const broken = writeLines(file, async (write) => {
      await write("first");
      throw new Error("the ledger is gone");
    });
    await expect(broken).rejects.toThrow("the ledger is gone");
    expect(existsSync(file)).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "ends with a sentence when the disk takes no more",
    async () => {
      const script = `
      const { randomBytes } = await import("node:crypto");
      const { writeLines } = await import(${JSON.stringify(new URL("./backup-file.ts", import.meta.url).href)});
      const filling = writeLines(${JSON.stringify(file)}, async (write) => {
        for (let n = 0; n < 1_000; n++) await write(randomBytes(30_000).toString("base64"));
      });
      await filling.catch(({ code, message }) => console.log(code, message));`;
      const shell = 'ulimit -f 64; exec "$0" --input-type=module -e "$1"';
      const { stdout } = await promisify(execFile)("sh", ["-c", shell, process.execPath, script]);
      expect(stdout.trim()).toBe(`INVALID_FILE ${file} would be larger than a file may be here.`);
      expect(existsSync(file)).toBe(false);
    },
    60_000,
  );
});
