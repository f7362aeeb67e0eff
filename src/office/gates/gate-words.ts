import type { WorkingConsumer } from "../../ledger/consumers.ts";
import type { SidesOfGate } from "../../ledger/group-gates.ts";
import type { Deployed } from "../replay/deploy-facts.ts";
import type { GateOpener } from "./gate.ts";

export function schemaName(schema: string | null): string {
  return schema ?? "them";
}

/** As people know it: a fix by what it is called, a deploy by its service and version. */
export function openerName(by: GateOpener): string {
  if (by.kind === "fix") return by.called;
  return by.version === null ? by.service : `${by.service} ${by.version}`;
}

/** `2026-11-15 14:04 UTC`. */
export function minuteOf(ms: number): string {
  const at = new Date(ms).toISOString();
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** Named in one sentence; more of them are counted. */
const versionsShown = 3;

/** Who reads what now: "At work: orders 2.14.3 × 6 reads OrderPlaced 1, 2." */
export function atWorkInWords({ working, recorded }: Deployed): string {
  const versions = [...byVersion(working)];
  if (versions.length > 0) {
    const more = versions.length - versionsShown;
    const shown = versions.slice(0, versionsShown).map(([name, own]) => `${name} × ${own.length} ${readsOf(own)}`);
    return `At work: ${[...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ")}.`;
  }
  const [latest] = recorded;
  return latest === undefined
    ? "Nobody says what is deployed there."
    : `The latest that is recorded is ${latest.service} ${latest.version}.`;
}

function byVersion(working: readonly WorkingConsumer[]): ReadonlyMap<string, readonly WorkingConsumer[]> {
  const versions = new Map<string, WorkingConsumer[]>();
  for (const each of working) {
    const name = `${each.service} ${each.version}`;
    versions.set(name, [...(versions.get(name) ?? []), each]);
  }
  return versions;
}

function readsOf(own: readonly WorkingConsumer[]): string {
  const schemas = own[0]?.schemas ?? [];
  if (schemas.length === 0) return "does not say what it reads";
  const shown = schemas.slice(0, versionsShown).map(({ name, versions }) => `${name} ${versions.join(", ")}`);
  return `reads ${shown.join("; ")}${schemas.length > versionsShown ? " and others" : ""}`;
}

/** How its open letters stand to what opened the gate, as far as they were looked at; empty where all of these failed before it. */
export function sidesInWords(by: GateOpener, sides: SidesOfGate | null): string {
  if (sides === null || sides.after + sides.unknown === 0) return "";
  const { before, after, unknown, isAll } = sides;
  const looked = isAll ? "" : `Of the ${count(before + after + unknown)} oldest `;
  const proof = by.kind === "fix" ? "proof that it does not cover every case" : "it did not help them";
  return [
    ` ${looked}${count(before)} failed before it and may go.`,
    ...(after > 0 ? [`${count(after)} failed after it: ${proof}.`] : []),
    ...(unknown > 0 ? [`Of ${count(unknown)} it is not known: whoever plans answers for these.`] : []),
  ].join(" ");
}

const count = (n: number) => n.toLocaleString("en-US");
