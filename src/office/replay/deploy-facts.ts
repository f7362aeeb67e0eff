import type { GateTrust } from "../../domain/protocol.ts";
import type { HandledSchema } from "../../domain/report.ts";
import { parseSchemaName } from "../../domain/schema-name.ts";
import type { WorkingConsumer } from "../../ledger/consumers.ts";
import type { Deploy } from "../../ledger/deploys.ts";
import type { DeployFacts } from "./facts.ts";

/** What is known of the consumers of one queue. */
export interface Deployed {
  /** At work now, as they report of themselves. */
  readonly working: readonly WorkingConsumer[];
  /** What people recorded, the latest of each service, newest first. */
  readonly recorded: readonly Deploy[];
}

/**
 * Whether what is deployed understands a message of that schema. What consumers say of themselves comes before what people
 * recorded, unless only the latter is trusted: then their own word can close the gate, and not open it. All that are at work must
 * handle it: a message goes to any of them, and an old one would fail it again.
 */
export function deployFacts(schemaText: string | null, deployed: Deployed, trust: GateTrust): DeployFacts {
  const { name, version } = parseSchemaName(schemaText);
  const said = schemaText ?? "its schema";
  const wanted = name === null || version === null ? null : { name, version, said };
  const spoken = wanted === null ? null : byTheirOwnWord(deployed, wanted);
  if (spoken !== null && (trust === "reported" || spoken.kind === "does_not_handle")) return spoken;
  const recorded = wanted === null ? null : byRecord(deployed, wanted);
  if (recorded !== null) return recorded;
  // No record speaks of that schema: then only a person's word counts that this deploy is the one that was waited for.
  const [latest] = deployed.recorded.filter(({ schemas }) => schemas.length === 0);
  if (latest !== undefined) return ifAtWork(latest, deployed, said);
  return spoken === null ? { kind: "unknown" } : { kind: "unrecorded", service: spoken.service, schema: said };
}

/** What somebody says who is there. */
type Known = Extract<DeployFacts, { readonly kind: "handles" | "does_not_handle" }>;

interface Wanted {
  readonly name: string;
  readonly version: string;
  readonly said: string;
}

/** Null where no deploy is recorded that speaks of that schema. */
function byRecord(deployed: Deployed, { name, version, said }: Wanted): Known | null {
  const recorded = deployed.recorded.find(({ schemas }) => versionsOf(schemas, name) !== null);
  if (recorded === undefined) return null;
  return handles(recorded.schemas, name, version) ? ifAtWork(recorded, deployed, said) : lacking(recorded, said);
}

/** Null where none of them speaks of that schema. */
function byTheirOwnWord({ working }: Deployed, { name, version, said }: Wanted): Known | null {
  const speaking = working.filter(({ schemas }) => versionsOf(schemas, name) !== null);
  const behind = speaking.find(({ schemas }) => !handles(schemas, name, version));
  if (behind !== undefined) return lacking(behind, said);
  const [first] = speaking.toSorted((a, b) => a.versionSeenAt - b.versionSeenAt);
  return first === undefined ? null : { kind: "handles", service: first.service, deployedAt: first.versionSeenAt };
}

/** A deploy that was rolled back helps nobody: where its service reports itself, that version must be among them. */
function ifAtWork({ service, version, deployedAt }: Deploy, { working }: Deployed, said: string): Known {
  const own = working.filter((consumer) => consumer.service === service);
  const other = own.find((consumer) => consumer.version !== version);
  return other === undefined ? { kind: "handles", service, deployedAt } : lacking(other, said);
}

function lacking({ service, version }: { readonly service: string; readonly version: string }, said: string): Known {
  return { kind: "does_not_handle", service, version, schema: said };
}

function handles(schemas: readonly HandledSchema[], name: string, version: string): boolean {
  return versionsOf(schemas, name)?.includes(version) ?? false;
}

/** Without a leading `v`, as schema names are read; null where that schema is not spoken of. */
function versionsOf(schemas: readonly HandledSchema[], name: string): readonly string[] | null {
  const found = schemas.filter((schema) => schema.name === name);
  return found.length === 0
    ? null
    : found.flatMap(({ versions }) => versions.map((each) => each.replace(/^v(?=\d)/i, "")));
}
