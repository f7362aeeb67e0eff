import { canInspect, type InspectOptions, inspectSource } from "../../doctor/inspect-source.ts";
import { isOfficeError } from "../../domain/errors.ts";
import { examine } from "../../wiring/examine.ts";
import type { Finding, Severity } from "../../wiring/finding.ts";
import type { Wiring } from "../../wiring/wiring.ts";
import { exit } from "../exit-codes.ts";
import { type Failure, failureOf, Interrupted } from "../failure.ts";
import type { Look } from "../sources/source-flags.ts";

/** What came of looking at one source. */
export type Seen =
  | { readonly state: "seen"; readonly source: Look; readonly wiring: Wiring; readonly findings: readonly Finding[] }
  | { readonly state: "failed"; readonly source: Look; readonly failure: Failure }
  /** There is nobody to look at that kind of broker yet. */
  | { readonly state: "skipped"; readonly source: Look };

/** All at once: one that does not answer must not hold up the others. */
export function lookAt(sources: readonly Look[], options: InspectOptions): Promise<Seen[]> {
  return Promise.all(sources.map((source) => lookAtOne(source, options)));
}

async function lookAtOne(source: Look, options: InspectOptions): Promise<Seen> {
  if (!canInspect(source.broker)) return { state: "skipped", source };
  try {
    const { wiring, remedies } = await inspectSource(source, options);
    return { state: "seen", source, wiring, findings: examine(wiring, remedies) };
  } catch (error) {
    // What ends because of Ctrl-C fails as if the other side were gone.
    if (options.signal.aborted) throw new Interrupted();
    if (!isOfficeError(error)) throw error;
    return { state: "failed", source, failure: failureOf(error) };
  }
}

export function countOf(seen: readonly Seen[], severity: Severity): number {
  return seen
    .flatMap((each) => (each.state === "seen" ? each.findings : []))
    .filter((each) => each.severity === severity).length;
}

/** A source that could not be looked at outweighs whatever was found in the others: nobody knows what is wrong there. */
export function exitCodeOf(seen: readonly Seen[], { strict }: { readonly strict: boolean }): number {
  const failures = seen.flatMap((each) => (each.state === "failed" ? [each.failure.exitCode] : []));
  if (failures.length > 0) return Math.max(...failures);
  const skipped = seen.filter(({ state }) => state === "skipped").length;
  // Nobody looked, so nobody can say that all is well; beside others, one that dlo does not know yet fails no pipeline.
  if (skipped > 0 && (strict || skipped === seen.length)) return exit.unreachable;
  const bad = countOf(seen, "error") + (strict ? countOf(seen, "warning") : 0);
  return bad > 0 ? exit.failed : exit.done;
}
