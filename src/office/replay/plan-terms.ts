import { OfficeError } from "../../domain/errors.ts";
import { requireOption } from "../../domain/options.ts";
import { exemptPerDay, type Protocol } from "../../domain/protocol.ts";
import type { NewItem, NewReplay } from "../../ledger/insert-replay.ts";
import type { Exemption, ReplayLimits } from "../../ledger/replay-record.ts";

/** A replay of several kinds of letters goes as carefully as the most delicate of them asks. */
export function strictest(protocols: readonly Protocol[]): ReplayLimits {
  const least = (pick: (protocol: Protocol) => number, otherwise: number) =>
    protocols.length === 0 ? otherwise : Math.min(...protocols.map(pick));
  const lags = protocols.flatMap(({ halt }) => (halt.lag === null ? [] : [halt.lag]));
  return {
    rate: least(({ rate }) => rate, 1),
    batch: least(({ batch }) => batch, 1),
    ramp: gentlest(protocols.map(({ ramp }) => ramp)),
    settleS: Math.max(0, ...protocols.map(({ settleS }) => settleS)),
    haltReturns: least(({ halt }) => halt.returns, 0),
    haltLag: lags.length === 0 ? null : Math.min(...lags),
  };
}

/** Step by step the smallest that any of them asks for. A ramp that has ended asks for nothing more: what is left goes at once. */
function gentlest(ramps: readonly (readonly number[])[]): readonly number[] {
  const steps = Math.max(0, ...ramps.map(({ length }) => length));
  return Array.from({ length: steps }, (_, index) => Math.min(...ramps.map((ramp) => stepOf(ramp, index))));
}

function stepOf(ramp: readonly number[], index: number): number {
  return ramp[index] ?? Number.POSITIVE_INFINITY;
}

/** Nobody gets more than the policy gives by asking for it. */
export function stricter(policy: ReplayLimits, asked: Partial<ReplayLimits>): ReplayLimits {
  const { rate = policy.rate, batch = policy.batch, ramp = policy.ramp, settleS = policy.settleS } = asked;
  requireOption(rate <= policy.rate, "rate", `at most the policy's ${policy.rate} a second`, rate);
  requireOption(batch <= policy.batch, "batch", `at most the policy's ${policy.batch}`, batch);
  requireOption(settleS >= policy.settleS, "settle", `at least the policy's ${policy.settleS} s`, settleS);
  const isGentle = policy.ramp.every((size, index) => stepOf(ramp, index) <= size);
  requireOption(isGentle, "ramp", `no steeper than the policy's ${policy.ramp.join(", ")}`, ramp.join(", "));
  return { ...policy, rate, batch, ramp, settleS };
}

export interface ApprovalTerms {
  readonly now: number;
  /** One of the letters is what a person says that it is. */
  readonly isNamed: boolean;
  /** They go by themselves. */
  readonly isAuto: boolean;
}

/** A protocol of a plan, and where letters are that it holds for. */
export interface PlannedProtocol {
  readonly protocol: Protocol;
  readonly places: readonly { readonly source: string; readonly queue: string }[];
}

export type PlannedItem = Pick<NewItem, "decision" | "reason" | "revision">;

/** Whether a protocol asks for an approval of a plan of these: what pages say of a letter alone is what its plan would say. */
export function asksForApproval(
  items: readonly PlannedItem[],
  { approvals, auto }: Pick<Protocol, "approvals" | "auto">,
  { isNamed, isAuto }: Omit<ApprovalTerms, "now">,
): boolean {
  if (approvals.n === 0) return false;
  const going = items.filter(({ decision }) => decision !== "skip");
  const isPlain = going.every(({ reason, revision }) => reason === "ready" && revision === 0);
  return isNamed || !(isAuto ? auto : isPlain && going.length <= approvals.exemptUpTo);
}

/** How many people have to approve a plan, who may, and until when: what every letter in it asks for. */
export function approvalsFor(
  items: readonly PlannedItem[],
  planned: readonly PlannedProtocol[],
  { now, isNamed, isAuto }: ApprovalTerms,
): Pick<NewReplay, "approvalsNeeded" | "approverRoles" | "expiresAt" | "exemption"> {
  const governed = planned.filter(({ protocol }) => protocol.approvals.n > 0);
  const asking = governed
    .filter(({ protocol }) => asksForApproval(items, protocol, { isNamed, isAuto }))
    .map(({ protocol: { approvals } }) => approvals);
  const lifetimes = planned.map(({ protocol: { approvals } }) => approvals.expiresS);
  return {
    // What goes by itself is nobody's day: its policy says how much may go, and halts it.
    exemption: asking.length > 0 || isAuto ? null : exemptionOf(governed),
    approvalsNeeded: Math.max(0, ...asking.map(({ n }) => n)),
    approverRoles: sharedRoles(asking.map(({ roles }) => roles)),
    expiresAt: now + 1_000 * Math.min(86_400, ...lifetimes),
  };
}

/** Of a queue with several kinds of letters the smallest limit counts. */
function exemptionOf(governed: readonly PlannedProtocol[]): Exemption | null {
  if (governed.length === 0) return null;
  const limits = new Map<string, Exemption["queues"][number]>();
  for (const { protocol, places } of governed)
    for (const { source, queue } of places) {
      const name = JSON.stringify([source, queue]);
      const perDay = Math.min(exemptPerDay(protocol.approvals), limits.get(name)?.perDay ?? Number.POSITIVE_INFINITY);
      limits.set(name, { source, queue, perDay });
    }
  const rules = governed.map(({ protocol }) => protocol.approvals);
  return {
    needed: Math.max(...rules.map(({ n }) => n)),
    roles: rolesOfAll(rules.map(({ roles }) => roles)),
    queues: [...limits.values()],
  };
}

type Roles = Protocol["approvals"]["roles"];

/** Those that may approve all of it: whoever may approve some of the letters does not answer for the others. */
function sharedRoles(asked: readonly Roles[]): Roles {
  const shared = rolesOfAll(asked);
  if (shared.length > 0 || asked.length === 0) return shared;
  const each = [...new Set(asked.map((roles) => roles.join(" or ")))];
  const text = `No role may approve all of these letters: the policy asks for ${each.join(" for some, ")} for others. Plan them apart, by queue or by category.`;
  throw new OfficeError("APPROVAL_REFUSED", text, { details: { roles: asked } });
}

function rolesOfAll(asked: readonly Roles[]): Roles {
  const [first = [], ...others] = asked;
  return first.filter((role) => others.every((roles) => roles.includes(role)));
}
