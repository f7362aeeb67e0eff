import { hexOf, readId } from "../../domain/ids.ts";
import { clockSkewMs } from "../../domain/protocol.ts";
import { parseSchemaName } from "../../domain/schema-name.ts";
import { closedBreakers } from "../../ledger/auto-replays.ts";
import { trippedBreakers } from "../../ledger/breakers.ts";
import { workingConsumers } from "../../ledger/consumers.ts";
import { latestDeploys } from "../../ledger/deploys.ts";
import { latestFixes } from "../../ledger/fixes.ts";
import { lastReturnsOf, type OpenedGate, schemasOf, sidesOfGates } from "../../ledger/group-gates.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { GroupSummary } from "../../ledger/search/find-groups.ts";
import { noFacts } from "../../triage/conditions/letter-facts.ts";
import { namedGroup } from "../attend/attend-group.ts";
import type { PolicyInForce } from "../policy/policy-in-force.ts";
import { type Gate, type GateFacts, gateOf } from "./gate.ts";
import { type GateCard, gateCards } from "./gate-cards.ts";
import { type GroupStep, goesBack, groupStep, isUnblocked, type StepFacts } from "./group-step.ts";

/** A group with what is to be done about it. */
export type SteppedGroup<Group extends GroupSummary = GroupSummary> = Group & {
  readonly nextStep: GroupStep;
  /** Its gate was shut and is open. */
  readonly isUnblocked: boolean;
  /** When a letter of it came back last after a replay, in milliseconds since 1970; null: none ever did. */
  readonly returnedAt: number | null;
};

export interface StepQuestion {
  readonly ledger: Ledger;
  readonly policy: () => Promise<PolicyInForce>;
}

interface SideQuestion extends StepQuestion {
  /** Open letters of a group that are asked on which side of its gate they failed. */
  readonly lettersLooked: number;
  /** Asks those of every group whose gate is open, and not only where the group's own figures do not tell. */
  readonly isExact: boolean;
}

/** Of each of many groups, and of one that somebody looks at. */
const lettersSampled = 50;
const lettersSided = 5_000;

/** With their next steps, in their order: a handful of questions, however many groups there are. */
export async function withSteps<Group extends GroupSummary>(
  question: StepQuestion,
  groups: readonly Group[],
): Promise<readonly SteppedGroup<Group>[]> {
  const known = await stepFacts({ ...question, lettersLooked: lettersSampled, isExact: false }, groups);
  return groups.map((group, index) => {
    const facts = known[index] as StepFacts;
    const nextStep = groupStep(group, facts);
    return { ...group, nextStep, isUnblocked: isUnblocked(group, nextStep), returnedAt: facts.facts.returnedAt };
  });
}

/** Of one group, exactly: how many of its letters stand on which side of its gate. */
export async function stepOf(
  question: StepQuestion,
  group: GroupSummary,
): Promise<{ readonly nextStep: GroupStep; readonly gates: readonly GateCard[] }> {
  const [facts] = await stepFacts({ ...question, lettersLooked: lettersSided, isExact: true }, [group]);
  const known = facts as StepFacts;
  return { nextStep: groupStep(group, known), gates: gateCards(group.category, known) };
}

/** What the steps of these groups follow from, in their order. */
async function stepFacts(question: SideQuestion, groups: readonly GroupSummary[]): Promise<readonly StepFacts[]> {
  const found = await gateFacts(question, groups);
  const gated = groups.map((group, index) => {
    const facts = found[index] as GateFacts;
    return { group, facts, gate: gateOf(group.category, group.queue, facts) };
  });
  const { ledger, lettersLooked: atMost } = question;
  const openings = gated.flatMap((each) => openingOf(each, question));
  const sides = await sidesOfGates(ledger, openings, { skewMs: clockSkewMs, atMost });
  return gated.map(({ group, facts, gate }) => ({ gate, facts, sides: sides.get(namedGroup(group).id) ?? null }));
}

interface Gated {
  readonly group: GroupSummary;
  readonly facts: GateFacts;
  readonly gate: Gate;
}

/** Nothing where the group's own figures tell that a letter of it failed before: none came back since, and the oldest came before. */
function openingOf({ group, facts, gate }: Gated, { isExact }: SideQuestion): readonly OpenedGate[] {
  if (gate.kind !== "open") return [];
  const { at: openedAt } = gate.by;
  const oldest = group.oldestOpenAt === null ? Number.POSITIVE_INFINITY : Date.parse(group.oldestOpenAt);
  const isClear = oldest < openedAt - clockSkewMs && (facts.returnedAt ?? 0) <= openedAt - clockSkewMs;
  return isClear && !isExact ? [] : [{ ...namedGroup(group), openedAt }];
}

async function gateFacts({ ledger, policy }: StepQuestion, groups: readonly GroupSummary[]): Promise<GateFacts[]> {
  if (groups.length === 0) return [];
  const waiting = groups.filter(({ category }) => category === "schema_mismatch");
  const broken = groups.filter(({ category }) => category === "poison");
  const queues = queuesOf(groups.filter(({ category }) => goesBack(category)));
  const [tripped, closed, returned, fixes, deployed] = await Promise.all([
    queues.length === 0 ? nothing : trippedBreakers(ledger, queues),
    queues.length === 0 ? nothing : closedBreakers(ledger, queues),
    lastReturnsOf(ledger, groups.map(namedGroup)),
    broken.length === 0
      ? nothing
      : latestFixes(
          ledger,
          broken.map(({ id }) => readId("group", id)),
        ),
    deployedFor(ledger, waiting),
  ]);
  // Only where consumers say something of themselves does it matter whether that is believed.
  const inForce = deployed.working.size === 0 ? null : await policy();
  return groups.map((group): GateFacts => {
    const place = `${group.source}/${group.queue}`;
    const { id } = namedGroup(group);
    const schema = deployed.schemas.get(id) ?? null;
    return {
      ...{ tripped: tripped.get(place) ?? [], closed: closed.get(place) ?? [], schema },
      ...{ working: deployed.working.get(place) ?? [], recorded: deployed.recorded.get(group.queue) ?? [] },
      trust: inForce === null || group.category !== "schema_mismatch" ? "reported" : trustOf(inForce, group, schema),
      fix: fixes.get(hexOf(readId("group", group.id))) ?? null,
      returnedAt: returned.get(id) ?? null,
    };
  });
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>();

const queuesOf = (groups: readonly GroupSummary[]) => [...new Set(groups.map(({ queue }) => queue))];

async function deployedFor(ledger: Ledger, groups: readonly GroupSummary[]) {
  if (groups.length === 0) return { working: nothing, recorded: nothing, schemas: nothing };
  const queues = queuesOf(groups);
  const [working, recorded, schemas] = await Promise.all([
    workingConsumers(ledger, queues),
    latestDeploys(ledger, queues),
    schemasOf(
      ledger,
      groups.map((group) => namedGroup(group).id),
    ),
  ]);
  return { working, recorded, schemas };
}

/** As far as the policy goes by what all letters of a group have alike. */
function trustOf(policy: PolicyInForce, { source, queue, category, open }: GroupSummary, schema: string | null) {
  const { name, version } = parseSchemaName(schema);
  const number = version !== null && /^\d{1,9}$/.test(version) ? Number(version) : null;
  const facts = { ...noFacts, source, queue, category, type: schema, schema: { name, version: number } };
  return policy.protocolFor(facts, { n: open, actor: { id: "", roles: [], kind: "human" } }).gates.trust;
}
