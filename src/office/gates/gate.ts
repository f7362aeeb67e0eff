import type { Category } from "../../domain/classification.ts";
import type { GateTrust } from "../../domain/protocol.ts";
import type { ClosedBreaker } from "../../ledger/auto-replays.ts";
import type { TrippedBreaker } from "../../ledger/breakers.ts";
import type { Fix } from "../../ledger/fixes.ts";
import { type Deployed, deployFacts } from "../replay/deploy-facts.ts";
import type { Reason } from "../replay/reasons.ts";

/** What is known of where the letters of a group would go, and of what was done about them. */
export interface GateFacts extends Deployed {
  /** Breakers of its queue that are not closed, and those that are again. */
  readonly tripped: readonly TrippedBreaker[];
  readonly closed: readonly ClosedBreaker[];
  /** What a letter of it names as its schema; null where it names none, or where it waits for no consumer. */
  readonly schema: string | null;
  readonly trust: GateTrust;
  /** The latest that was recorded for it; null when there is none. */
  readonly fix: Pick<Fix, "called" | "fixedAt"> | null;
  /** When a letter of it came back last after a replay; null: none ever did. Milliseconds since 1970. */
  readonly returnedAt: number | null;
}

/** What the letters of a category wait for before they may go: for nothing, for somebody, or since when they do not. */
export type Gate =
  | { readonly kind: "none" }
  | { readonly kind: "shut"; readonly reason: Reason }
  | { readonly kind: "open"; readonly by: GateOpener };

/** What opened it, in milliseconds since 1970. */
export type GateOpener =
  | { readonly kind: "deploy"; readonly service: string; readonly version: string | null; readonly at: number }
  | { readonly kind: "fix"; readonly called: string; readonly at: number };

/** As far as it is one for all letters of a group: on which side of it each of them failed comes later. */
export function gateOf(category: Category, queue: string, facts: GateFacts): Gate {
  if (category === "poison") return fixGate(facts);
  return category === "schema_mismatch" ? deployGate(queue, facts) : { kind: "none" };
}

function fixGate({ fix }: GateFacts): Gate {
  if (fix === null) return { kind: "shut", reason: { code: "fix.missing" } };
  return { kind: "open", by: { kind: "fix", called: fix.called, at: fix.fixedAt } };
}

function deployGate(queue: string, { schema, trust, working, recorded }: GateFacts): Gate {
  const deploy = deployFacts(schema, { working, recorded }, trust);
  switch (deploy.kind) {
    case "unknown":
      return { kind: "shut", reason: { code: "deploy.unknown", queue } };
    case "does_not_handle":
      return { kind: "shut", reason: { ...deploy, code: "deploy.not_newer" } };
    case "unrecorded":
      return { kind: "shut", reason: { ...deploy, code: "deploy.unrecorded" } };
    case "handles": {
      const { service, deployedAt: at } = deploy;
      return {
        kind: "open",
        by: { kind: "deploy", service, version: versionOf(service, at, { working, recorded }), at },
      };
    }
  }
}

function versionOf(service: string, at: number, { working, recorded }: Deployed): string | null {
  const seen = working.find((each) => each.service === service && each.versionSeenAt === at);
  return (seen ?? recorded.find((each) => each.service === service && each.deployedAt === at))?.version ?? null;
}
