import { deadLetteringChecks } from "./dead-lettering-checks.ts";
import { type Check, type Finding, type Remedies, severities } from "./finding.ts";
import { hazardChecks } from "./hazard-checks.ts";
import { letterChecks, rightsChecks } from "./letter-checks.ts";
import type { Wiring } from "./wiring.ts";

/** Everything there is to look for. docs/guides/doctor.md has it as a table. */
export const checks: readonly Check[] = [
  ...hazardChecks,
  ...deadLetteringChecks,
  ...letterChecks,
  ...rightsChecks,
].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));

/** All that is wrong with a source, the gravest first. */
export function examine(wiring: Wiring, remedies: Remedies): Finding[] {
  return checks.flatMap(({ code, severity, remedy, find }) =>
    find(wiring).map(({ queue, sentence, remedy: own }) => ({
      code,
      severity,
      queue: queue?.name ?? null,
      sentence,
      remedy: own ?? (queue === null ? remedy : (remedies[code]?.(queue) ?? remedy)),
    })),
  );
}
