import { beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "../../src/domain/actor.ts";
import type { Category } from "../../src/domain/classification.ts";
import { readId, showId } from "../../src/domain/ids.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { policyReader } from "../../src/office/policy/policy-in-force.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { arrive } from "../policy/arrive.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { groupsOf, operator, replayWorld, run } from "./world.ts";

const hourMs = 3_600_000;
const second: Actor = { id: "ops-2", roles: ["approver"], kind: "human" };
const admin: Actor = { id: "root", roles: ["admin"], kind: "human" };
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Letters of one category that failed two hours ago, and everything that can be tried with them. */
async function officeWith(ledger: Ledger, category: Category, count: number) {
  const queue = `q-${crypto.randomUUID()}`;
  const letters: Uint8Array[] = [];
  for (let n = 0; n < count; n++) letters.push(await arrive(ledger, { queue, category, agoMs: 2 * hourMs }));
  const world = replayWorld(ledger);
  const parts = { ...world.parts, policy: policyReader(ledger) };
  const call = callsOn(ledger, parts);
  const plan = (limits: Readonly<Record<string, number>> = {}) =>
    call("replays.plan", operator, { letters: letters.map((id) => showId("letter", id)), limits });
  const [groupId = new Uint8Array()] = await groupsOf(ledger, letters);
  return { ...world, parts, call, plan, queue, group: showId("group", groupId) };
}

type Tried = Awaited<ReturnType<typeof officeWith>>;
type Plan = Awaited<ReturnType<Tried["plan"]>>;

const codesOf = ({ reasons }: Plan) => reasons.map(({ code, n }) => [code, n]);
const start = ({ call }: Tried, { id, counts }: Plan) =>
  call("replays.start", operator, { id, expectCount: counts.toSend });

async function approved(tried: Tried, { id, approvalHash }: Plan): Promise<Plan> {
  await tried.call("replays.ask", operator, { id, reason: "the cause is gone" });
  return tried.call("replays.approve", second, { id, hash: approvalHash });
}

/** Runs it until that many were sent; the outcomes are another story. */
async function runUntilSent({ parts, sent }: Tried, { id }: Plan, count: number): Promise<void> {
  const stop = new AbortController();
  const running = run(parts, readId("replay", id), stop.signal);
  await eventually(() => sent.length === count);
  stop.abort();
  await running;
  expect(sent).toHaveLength(count);
}

/** Whatever a person does, short of changing what is known, nothing goes. */
async function goesNever(tried: Tried, plan: Plan): Promise<void> {
  const { call, sent } = tried;
  const { id } = plan;
  expect(plan.counts.toSend).toBe(0);
  await expect(call("replays.acknowledge", operator, { id, reason: "trust me", items: [1] })).rejects.toThrow();
  const asking = call("replays.ask", operator, { id, reason: "please" });
  await expect(asking).rejects.toMatchObject({ code: "NOTHING_TO_SEND" });
  await expect(call("replays.approve", second, { id, hash: plan.approvalHash })).rejects.toThrow("only one that is");
  await expect(call("replays.breakGlass", admin, { id, reason: "because I can" })).rejects.toThrow("only one that is");
  await expect(start(tried, plan)).rejects.toThrow("only one that is");
  expect(sent).toEqual([]);
}

/** Under the policy that holds where nobody applied one, through the table that every door calls. */
onEachDatabase("the protocol of a category", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const office = (category: Category, count: number) => officeWith(ledger, category, count);

  describe("transient", () => {
    it("lets many go only as a second person saw them, and no faster than the policy", async () => {
      const tried = await office("transient", 11);
      const { call, plan: makePlan, sent } = tried;
      const plan = await makePlan();
      expect(codesOf(plan)).toEqual([["ready", 11]]);
      const { id, approvalHash: hash } = plan;
      await expect(start(tried, plan)).rejects.toMatchObject({ code: "REPLAY_NOT_READY" });
      await call("replays.ask", operator, { id, reason: "payments is back" });
      await expect(start(tried, plan)).rejects.toMatchObject({ code: "REPLAY_NOT_READY" });
      const both: Actor = { ...operator, roles: ["operator", "approver"] };
      await expect(call("replays.approve", both, { id, hash })).rejects.toThrow("four eyes");
      await expect(call("replays.approve", second, { id, hash: "0".repeat(64) })).rejects.toMatchObject({
        code: "PLAN_CHANGED",
      });
      await call("replays.approve", second, { id, hash });
      await expect(call("replays.start", operator, { id, expectCount: 12 })).rejects.toMatchObject({
        code: "PLAN_CHANGED",
      });
      await expect(makePlan({ rate: 1_000 })).rejects.toThrow("at most the policy's 20 a second");
      expect(sent).toEqual([]);
      await start(tried, plan);
      await runUntilSent(tried, plan, 5);
    });

    it("sends no letter twice, however many plans hold it", async () => {
      const tried = await office("transient", 3);
      const [first, other] = [await tried.plan(), await tried.plan()];
      for (const plan of [first, other]) {
        await tried.call("replays.ask", operator, { id: plan.id, reason: "payments is back" });
        await start(tried, plan);
      }
      await runUntilSent(tried, first, 3);
      await run(tried.parts, readId("replay", other.id));
      expect(tried.sent).toHaveLength(3);
      expect((await tried.call("replays.get", operator, { id: other.id })).counts).toMatchObject({
        drifted: 3,
        sent: 0,
      });
    });
  });

  describe("schema_mismatch", () => {
    it("waits for a deploy that came after the failure, whoever asks", async () => {
      const tried = await office("schema_mismatch", 2);
      const before = await tried.plan();
      expect(codesOf(before)).toEqual([["deploy.unknown", 2]]);
      await goesNever(tried, before);
      const deploy = { service: "shop", version: "2", queues: [tried.queue] };
      await tried.call("deploys.record", operator, { ...deploy, deployedAt: ago(3 * hourMs) });
      const useless = await tried.plan();
      expect(codesOf(useless)).toEqual([["deploy.arrived_after", 2]]);
      await goesNever(tried, useless);
      await tried.call("deploys.record", operator, { ...deploy, version: "3", deployedAt: ago(hourMs) });
      const after = await tried.plan();
      expect(codesOf(after)).toEqual([["ready", 2]]);
      await tried.call("replays.ask", operator, { id: after.id, reason: "shop 3 reads it" });
      await start(tried, after);
      await runUntilSent(tried, after, 2);
    });
  });

  describe("poison", () => {
    it("waits for a fix, and stops when the fix is taken back after everybody agreed", async () => {
      const tried = await office("poison", 2);
      const before = await tried.plan();
      expect(codesOf(before)).toEqual([["fix.missing", 2]]);
      await goesNever(tried, before);
      const fix = await tried.call("fixes.record", operator, {
        ...{ group: tried.group, called: "shop@2.1", fixedAt: ago(hourMs) },
      });
      const plan = await tried.plan();
      expect([codesOf(plan), plan.approvalsNeeded]).toEqual([[["ready", 2]], 1]);
      await approved(tried, plan);
      await start(tried, plan);
      await tried.call("fixes.retract", operator, { id: fix.id, reason: "it was not it" });
      expect(await run(tried.parts, readId("replay", plan.id))).toBe("finished");
      expect(tried.sent).toEqual([]);
      const { counts, reasons } = await tried.call("replays.get", operator, { id: plan.id });
      expect(counts).toMatchObject({ drifted: 2, sent: 0 });
      expect(reasons).toMatchObject([{ decision: "drifted", code: "fix.missing", n: 2 }]);
    });
  });

  describe("business_rule", () => {
    it("is decided one by one: never two in a plan, one only as a second person saw it", async () => {
      const many = await office("business_rule", 2);
      const together = await many.plan();
      expect(codesOf(together)).toEqual([["policy.no_bulk", 2]]);
      await goesNever(many, together);
      const text = "version: 1\nprotocols:\n  business_rule: { bulk: true }\n";
      await expect(many.call("policy.apply", admin, { text, file: "p.yaml" })).rejects.toThrow("one by one");

      const tried = await office("business_rule", 1);
      const alone = await tried.plan();
      expect([codesOf(alone), alone.approvalsNeeded]).toEqual([[["ready", 1]], 1]);
      await expect(start(tried, alone)).rejects.toMatchObject({ code: "REPLAY_NOT_READY" });
      await approved(tried, alone);
      await start(tried, alone);
      await runUntilSent(tried, alone, 1);
    });
  });

  describe.each([
    ["lost_context", "policy.never"],
    ["unknown", "category.unknown"],
  ] as const)("%s", (category, code) => {
    it("never goes, whoever agrees and whatever a policy says", async () => {
      const tried = await office(category, 1);
      const plan = await tried.plan();
      expect(codesOf(plan)).toEqual([[code, 1]]);
      await goesNever(tried, plan);
      const text = `version: 1\nprotocols:\n  ${category}: { bulk: true }\n`;
      await expect(tried.call("policy.apply", admin, { text, file: "p.yaml" })).rejects.toThrow("never replayed");
    });
  });
});
