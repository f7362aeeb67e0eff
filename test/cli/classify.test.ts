import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { terminal } from "./terminal.ts";

const heldOut = new URL("../triage/failures/held-out.jsonl", import.meta.url).pathname;

describe("dlo classify test", () => {
  it("prints a line for each failure, in order", async () => {
    const { code, stdout } = await terminal(["classify", "test", heldOut]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(0);
    expect(lines).toHaveLength(125);
    expect(Object.keys(lines[0] ?? {})).toEqual([
      "id",
      "category",
      "confidence",
      "rule",
      "why",
      "sideEffect",
      "fingerprint",
      "runnerUp",
    ]);
  });

  it("compares with labels, for people and for programs", async () => {
    const { stdout } = await terminal(["classify", "test", heldOut, "--report"]);
    expect(stdout).toMatch(/right +\d+ +9\d\.\d %/);
    const { stdout: json } = await terminal(["classify", "test", heldOut, "--report", "--json"]);
    expect(JSON.parse(json)).toMatchObject({ labelled: 125, sideEffects: { labelled: 125 } });
  });

  it("names labels that are no categories, and says when there is nothing to judge", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dlo-classify-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [misspelt, empty] = [join(folder, "misspelt.jsonl"), join(folder, "empty.jsonl")];
    writeFileSync(misspelt, '{"id":"a","message":"x","label":"transiet"}\n{"id":"b","message":"y","label":"unknown"}');
    writeFileSync(empty, "");
    const { stdout } = await terminal(["classify", "test", misspelt, "--report"]);
    expect(stdout).toContain('Not counted, since they are no categories: "transiet".');
    expect((await terminal(["classify", "test", empty, "--report"])).stdout).toBe("There are no failures in it.\n");
    expect((await terminal(["classify", "test", empty])).stderr).toBe("There are no failures in it.\n");
  });

  it("refuses what is no failure, by its line", async () => {
    const { code, stderr } = await terminal(["classify", "test", new URL(import.meta.url).pathname]);
    expect(code).toBe(2);
    expect(stderr).toContain("Line 1 is not a JSON object.");
  });
});
