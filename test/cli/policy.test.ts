import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { terminal } from "./terminal.ts";

const letters = new URL("../triage/failures/made.jsonl", import.meta.url).pathname;

function policyFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "dlo-policy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "dlo.policy.yaml");
  writeFileSync(path, text);
  return path;
}

describe("dlo policy", () => {
  it("finds nothing wrong with what is right", async () => {
    const path = policyFile("version: 1\nrules: [{ id: a, when: 'true', category: poison }]\n");
    expect(await terminal(["policy", "lint", path])).toMatchObject({
      code: 0,
      stdout: /^Nothing wrong: 1 rule, 0 protocols, 0 overrides/,
    });
  });

  it("names the lines of what is wrong, all at once", async () => {
    const path = policyFile("version: 1\nrules:\n  - id: a\n    when: letter.queu == 'x'\n    category: transiet\n");
    const { code, stderr } = await terminal(["policy", "lint", path]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${path}:4:`);
    expect(stderr).toContain(`${path}:5:`);
  });

  it("tries rules on failures before they are applied", async () => {
    const path = policyFile(
      "version: 1\nrules: [{ id: no-rights, pattern: { message: '(?i)permission' }, category: business_rule }]\n",
    );
    const { stdout } = await terminal(["policy", "test", path, "--letters", letters, "--json"]);
    const preview = JSON.parse(stdout) as { readonly moves: readonly unknown[]; readonly rules: readonly unknown[] };
    expect(preview).toMatchObject({ letters: 264, rules: [{ id: "no-rights" }] });
    expect(preview.moves).toMatchObject([{ from: "unknown", to: "business_rule" }]);
  });
});
