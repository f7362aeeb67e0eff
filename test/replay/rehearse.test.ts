import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type DrillResult, drillPolicy, rehearse } from "../../src/demo/rehearsal/rehearse.ts";
import { systemHost } from "../../src/system/host.ts";
import { dlo } from "../cli/dlo.ts";

describe("a rehearsal", () => {
  it("tries every guard in a sandbox, and says what happened", async () => {
    const { code, stdout, stderr } = await dlo(["rehearse", "--json"]);
    const { results } = JSON.parse(stdout) as { readonly results: readonly DrillResult[] };
    expect(results.map(({ guard, held }) => [guard, held])).toEqual([
      ["policy", true],
      ["approval", true],
      ["ramp", true],
      ["return", true],
    ]);
    expect([code, stderr.trim()]).toEqual([0, "4 of 4 guards held."]);
    const [denied, expired, halted, returned] = results.map(({ happened }) => happened);
    expect(denied).toContain("The policy's drill-denies denies it.");
    expect(expired).toContain("It was approved, and then expired.");
    expect(halted).toContain("of 8 were sent.");
    expect(returned).toContain("originally transient, became schema_mismatch");
  });

  it("says so where a guard does not hold", async () => {
    const folder = await mkdtemp(join(tmpdir(), "dlo-rehearse-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const policy = drillPolicy.replace("deny: true", "set: { rate: 5 }").replace("expires: 10s", "expires: 1h");
    const results = await rehearse({ folder, version: "test", host: systemHost, policy, patienceMs: 60_000 });
    expect(results.map(({ guard, held }) => [guard, held])).toEqual([
      ["policy", false],
      ["approval", false],
      ["ramp", true],
      ["return", true],
    ]);
  });
});
