import type { Actor } from "../../domain/actor.ts";
import { type Clock, pause } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import type { Call } from "../../office/operations/operations.ts";

/** Whoever opens the demonstration in a browser. */
export const visitor: Actor = { id: "you", kind: "human", roles: ["admin"] };
/** Says yes to what others ask, after a while. Made up: its kind approves in demonstrations only. */
export const approver: Actor = { id: "ops-2", kind: "demo", roles: ["approver"] };
/** Whose shift it is: sends back what a partner had refused. */
export const operator: Actor = { id: "ops-3", kind: "demo", roles: ["operator"] };

/** What they want to know of by themselves. Nobody outside is told: a demonstration has no notifiers. */
export async function setRules(call: Call): Promise<void> {
  await call("alerts.setRule", operator, { name: "grows", kind: "growing" });
  await call("alerts.setRule", operator, { name: "breaker-open", kind: "breaker", over: 60 });
  await call("alerts.setRule", operator, { name: "too-old", kind: "age", over: 5 * 86_400 });
}

const lookEveryMs = 5_000;
const thinksForMs = 20_000;
const plansAfterMs = 20_000;

export interface CastParts {
  readonly call: Call;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The people of the demonstration do what people do, through the table of operations, until `signal` aborts. */
export async function perform(parts: CastParts): Promise<void> {
  await Promise.all([approveWhatIsAsked(parts), sendBackDeliveries(parts)]);
}

async function approveWhatIsAsked({ call, clock, signal }: CastParts): Promise<void> {
  const seen = new Map<string, number>();
  while (!signal.aborted) {
    const { items } = await call("replays.list", approver, { states: ["awaiting_approval"] });
    for (const { id } of items) {
      const since = seen.get(id) ?? clock.now();
      seen.set(id, since);
      if (clock.now() - since >= thinksForMs) await unlessRefused(() => approve(call, id));
    }
    await pause(clock, lookEveryMs, signal);
  }
}

async function approve(call: Call, id: string): Promise<void> {
  const { approvalHash, reasons } = await call("replays.get", approver, { id });
  const risks = reasons.filter(({ decision }) => decision === "acknowledged").map(({ code }) => code);
  await call("replays.approve", approver, {
    id,
    hash: approvalHash,
    risks,
    reason: "a bot of the demonstration agrees",
  });
}

/** One small replay of somebody else's, so that there is one to look at: some of its letters come back. */
async function sendBackDeliveries({ call, clock, signal }: CastParts): Promise<void> {
  await pause(clock, plansAfterMs, signal);
  if (signal.aborted) return;
  const plan = { q: 'queue:partners code:ECONNRESET error:"read ECONNRESET"', name: "acme takes deliveries again" };
  const { id, reasons } = await call("replays.plan", operator, plan);
  const risks = new Set(reasons.filter(({ decision }) => decision === "ack_required").map(({ code }) => code));
  for (const code of risks)
    await call("replays.acknowledge", operator, { id, code, reason: "acme drops what it has seen before" });
  await call("replays.ask", operator, { id, reason: "acme answered a test call at the end of its incident" });
  while (!signal.aborted) {
    const { state, counts } = await call("replays.get", operator, { id });
    if (state === "approved") {
      await call("replays.start", operator, { id, expectCount: counts.toSend });
      return;
    }
    if (state !== "awaiting_approval") return;
    await pause(clock, lookEveryMs, signal);
  }
}

/** The visitor may be quicker, or cancel it meanwhile. */
async function unlessRefused(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isOfficeError(error)) throw error;
  }
}
