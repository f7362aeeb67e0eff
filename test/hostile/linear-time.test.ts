import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { Superlinear } from "./measure-growth.ts";

/** In a process of its own: what tests have made the compiler learn, and what they leave to collect, would be measured too. */
it("reads a failure in a time that grows no faster than its text", async () => {
  const file = new URL("./measure-growth.ts", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  const found = JSON.parse(stdout) as readonly Superlinear[];
  expect(found).toEqual([]);
});
