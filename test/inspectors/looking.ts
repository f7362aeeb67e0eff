import { addressReference } from "../../src/config/reference.ts";
import { inspectSource, type NamedSource } from "../../src/doctor/inspect-source.ts";
import type { Place } from "../../src/inspectors/inspector.ts";
import { systemClock } from "../../src/system/host.ts";
import { examine } from "../../src/wiring/examine.ts";
import type { Finding, FindingCode } from "../../src/wiring/finding.ts";
import type { Wiring } from "../../src/wiring/wiring.ts";

export interface Looked {
  readonly wiring: Wiring;
  readonly findings: readonly Finding[];
  readonly codes: readonly FindingCode[];
}

/** Looks at a broker as `dlo doctor` does. */
export async function lookAtPlace(broker: NamedSource["broker"], place: Place, limitMs = 120_000): Promise<Looked> {
  const source: NamedSource = {
    broker,
    url: addressReference(place.url),
    ...(place.management === undefined ? {} : { management: addressReference(place.management) }),
    ...(place.schema === undefined ? {} : { schema: place.schema }),
  };
  const { wiring, remedies } = await inspectSource(source, {
    origin: { env: {}, readText: () => Promise.reject(new Error("There are no files here.")) },
    clock: systemClock,
    signal: new AbortController().signal,
    limitMs,
  });
  const findings = examine(wiring, remedies);
  return { wiring, findings, codes: findings.map(({ code }) => code) };
}
