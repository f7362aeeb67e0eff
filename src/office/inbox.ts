import type { Category } from "../domain/classification.ts";
import type { GroupSummary } from "../ledger/search/find-groups.ts";
import { urgency } from "../ledger/search/group-urgency.ts";

/** Why a group is where it is in the inbox. */
export type InboxReason = "growing" | "new" | "aging" | "active";

export interface InboxItem extends GroupSummary {
  readonly why: InboxReason;
  readonly nextStep: GroupStep;
}

const order: readonly InboxReason[] = ["growing", "new", "aging", "active"];

export interface GroupStep {
  /** Stable, for programs. */
  readonly code: string;
  /** For people. */
  readonly label: string;
}

/** The one next step that a category allows. */
const nextSteps: Readonly<Record<Category, GroupStep>> = {
  transient: { code: "replay.plan", label: "plan a replay" },
  schema_mismatch: { code: "deploy.wait", label: "wait for a consumer that reads it" },
  business_rule: { code: "decide.each", label: "decide one by one" },
  poison: { code: "fix.record", label: "fix the handler, record the fix" },
  lost_context: { code: "decide.drop", label: "drop or escalate" },
  unknown: { code: "classify", label: "look at one, say what it is" },
};

/** What to do about a group: once the fix that its category asks for stands, its letters may be planned. */
export function nextStepOf({ category }: Pick<GroupSummary, "category">, hasFix: boolean): GroupStep {
  return category === "poison" && hasFix ? nextSteps.transient : nextSteps[category];
}

/** Open groups in the order in which to look at them: what grows first, then what is new, then what is getting old. */
export function inboxOf(groups: readonly GroupSummary[], now: number): readonly InboxItem[] {
  const items = groups
    .filter(({ open }) => open > 0)
    .map((group) => ({ ...group, why: reasonOf(group, now), nextStep: nextSteps[group.category] }));
  return items.sort((a, b) => order.indexOf(a.why) - order.indexOf(b.why) || b.open - a.open);
}

/** Why it would be where it is, if nobody had said anything about it. */
export function reasonOf({ hours, firstArrivedAt, oldestOpenAt }: GroupSummary, now: number): InboxReason {
  const { recentHours, growingFrom, growingBy, newMs, agingMs } = urgency;
  const recent = sum(hours.slice(-recentHours)) / recentHours;
  const before = sum(hours.slice(0, -recentHours)) / Math.max(1, hours.length - recentHours);
  if (recent >= growingFrom && recent > growingBy * before) return "growing";
  if (firstArrivedAt !== null && now - Date.parse(firstArrivedAt) < newMs) return "new";
  return oldestOpenAt !== null && now - Date.parse(oldestOpenAt) > agingMs ? "aging" : "active";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
