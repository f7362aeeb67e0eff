import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DrillResult } from "../../demo/rehearsal/rehearse.ts";
import { systemHost } from "../../system/host.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { wrap } from "../terminal/text.ts";

export const rehearseCommand = command({
  name: "rehearse",
  summary: "a drill of the guards of replays, in a sandbox: what is refused, what expires, what halts",
  examples: [{ line: "dlo rehearse", about: "before you rely on them; exit code 1 if one did not hold" }],
  details: [
    "In an office of its own with queues inside this process: a policy denies a replay, an approval expires, a ramp halts, and a " +
      "letter comes back as something else. Nothing of yours is looked at or touched.",
  ],
  flags: {},

  async run({ json }, context) {
    const folder = await mkdtemp(join(tmpdir(), "dlo-rehearse-"));
    try {
      const { rehearse } = await import("../../demo/rehearsal/rehearse.ts");
      const onResult = json ? () => {} : (result: DrillResult) => context.print(drawn(result, context));
      const results = await rehearse({ folder, version: context.version, host: systemHost, onResult });
      const held = results.filter((result) => result.held).length;
      if (json) context.print(JSON.stringify({ results, held: held === results.length }));
      context.note(`${held} of ${results.length} guards held.`);
      return held === results.length ? exit.done : exit.failed;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

function drawn({ guard, tried, happened, held }: DrillResult, { terminal: { paint, columns } }: Context): string {
  const word = held ? paint("green", "held") : paint("red", "DID NOT HOLD");
  return [`${paint("bold", guard)}: ${word}`, ...wrap(tried, columns - 2), ...wrap(happened, columns - 2), ""]
    .map((line, index) => (index === 0 || line === "" ? line : `  ${line}`))
    .join("\n");
}
