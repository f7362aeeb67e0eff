import { isOfficeError } from "../../domain/errors.ts";
import {
  type DrillQueue,
  drillApprover,
  drillOperator,
  openSandbox,
  type Sandbox,
  type SandboxOptions,
} from "./sandbox.ts";

/** One guard of replays, and whether it did what it is there for. */
export interface DrillResult {
  readonly guard: "policy" | "approval" | "ramp" | "return";
  /** What was tried. */
  readonly tried: string;
  /** What became of it. */
  readonly happened: string;
  readonly held: boolean;
}

export interface DrillOptions extends Omit<SandboxOptions, "policy" | "patienceMs"> {
  /** How long something is waited for that should happen, in milliseconds. @default 120_000 */
  readonly patienceMs?: number;
  /** Told of each guard as soon as it was tried. */
  readonly onResult?: (result: DrillResult) => void;
  /** The policy of the drill, for whoever wants to see it fail. @default one under which every guard has to hold */
  readonly policy?: string;
}

/** A policy that is quick about it: what takes minutes in earnest takes seconds in a drill. */
export const drillPolicy = `
version: 1
protocols:
  transient: { ramp: { steps: [2] }, settle: { min: 30s }, halt: { returns: 0.05 }, approvals: { exemptUpTo: 10 } }
overrides:
  - id: drill-denies
    when: letter.queue == "forbidden"
    deny: true
  - when: letter.queue == "overdue"
    set: { approvals: { n: 1, expires: 10s, exemptUpTo: 0 } }
`;

/**
 * Tries the guards of replays in a sandbox: real letters, ledger, policy and replays, on queues that exist in this process
 * alone. Gives each guard with whether it held.
 */
export async function rehearse({
  onResult,
  policy = drillPolicy,
  patienceMs = 120_000,
  ...options
}: DrillOptions): Promise<readonly DrillResult[]> {
  const sandbox = await openSandbox({ ...options, policy, patienceMs });
  const results: DrillResult[] = [];
  try {
    for (const drill of [denial, expiry, halt, change]) {
      const result = await drill(sandbox);
      onResult?.(result);
      results.push(result);
    }
    return results;
  } finally {
    await sandbox.close();
  }
}

/** A policy that says no: nothing is sent, whoever starts it. */
async function denial(sandbox: Sandbox): Promise<DrillResult> {
  await sandbox.fill("forbidden", 3);
  const before = sandbox.handled("forbidden");
  const { id, reasons, counts } = await plan(sandbox, "forbidden");
  const denied = reasons.find(({ code }) => code === "policy.denied");
  const refused = await refusalOf(() => startAnyway(sandbox, id, counts.selected));
  const sent = sandbox.handled("forbidden") - before;
  return {
    ...{ guard: "policy", tried: "Sent back 3 letters that the policy denies." },
    happened: `${denied?.n ?? 0} were denied (${denied?.sentence ?? "no reason was given"}) Starting it: ${refused ?? "was let through."} ${sent} arrived.`,
    held: denied?.n === 3 && refused !== null && sent === 0,
  };
}

/** An approval that nobody used in time: it is none any more. */
async function expiry(sandbox: Sandbox): Promise<DrillResult> {
  await sandbox.fill("overdue", 2);
  const before = sandbox.handled("overdue");
  const { id } = await plan(sandbox, "overdue");
  const { approvalHash, counts } = await sandbox.call("replays.ask", drillOperator, { id, reason: "a drill" });
  const { state } = await sandbox.call("replays.approve", drillApprover, { id, hash: approvalHash });
  const isOver = await sandbox.until(async () => (await get(sandbox, id)).state !== "approved");
  const refused = await refusalOf(() =>
    sandbox.call("replays.start", drillOperator, { id, expectCount: counts.toSend }),
  );
  const sent = sandbox.handled("overdue") - before;
  return {
    ...{ guard: "approval", tried: "Started a replay of 2 letters after its approval had run out." },
    happened: `It was ${state}, and then ${(await get(sandbox, id)).state}. Starting it: ${refused ?? "was let through."} ${sent} arrived.`,
    held: state === "approved" && isOver && refused !== null && sent === 0,
  };
}

/** A consumer that still fails: the first small step comes back, and the rest stays. */
async function halt(sandbox: Sandbox): Promise<DrillResult> {
  await sandbox.fill("ramp", 8);
  const { id, counts } = await plan(sandbox, "ramp");
  await startAnyway(sandbox, id, counts.toSend);
  await sandbox.until(async () => !["running", "settling"].includes((await get(sandbox, id)).state));
  const after = await get(sandbox, id);
  return {
    ...{ guard: "ramp", tried: "Sent back 8 letters to a consumer that still fails, 2 of them first." },
    happened: `It is ${after.state}: ${after.haltedBy?.sentence ?? "nothing stopped it."} ${after.counts.sent} of 8 were sent.`,
    held: after.state === "halted" && after.haltedBy?.guard === "returns" && after.counts.sent <= 2,
  };
}

/** A letter that fails otherwise than before: it is the same letter, with another category. */
async function change(sandbox: Sandbox): Promise<DrillResult> {
  await sandbox.fill("changing", 1);
  sandbox.moods.changing = "picky";
  const { id, counts } = await plan(sandbox, "changing");
  await startAnyway(sandbox, id, counts.toSend);
  await sandbox.until(async () => (await get(sandbox, id)).counts.returned === 1);
  const { items } = await sandbox.call("letters.list", drillOperator, { q: "queue:changing" });
  const [letter] = items;
  return {
    ...{ guard: "return", tried: "Sent back a letter to a consumer that now fails otherwise." },
    happened: `There is ${items.length} letter of it, ${letter?.state ?? "gone"}: originally ${letter?.was ?? "?"}, became ${letter?.category ?? "?"}.`,
    held: items.length === 1 && letter?.was === "transient" && letter.category === "schema_mismatch",
  };
}

function plan({ call }: Sandbox, queue: DrillQueue) {
  return call("replays.plan", drillOperator, { q: `queue:${queue}`, name: `drill: ${queue}` });
}

function get({ call }: Sandbox, id: string) {
  return call("replays.get", drillOperator, { id });
}

/** Asks for what is needed, and starts it whether or not that was given. */
async function startAnyway({ call }: Sandbox, id: string, expectCount: number): Promise<void> {
  await call("replays.ask", drillOperator, { id, reason: "a drill" });
  await call("replays.start", drillOperator, { id, expectCount });
}

/** What the office says to that; null: it did it. */
async function refusalOf(run: () => Promise<unknown>): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (isOfficeError(error)) return error.message;
    throw error;
  }
}
