import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import type { Actor } from "../../src/domain/actor.ts";
import { showId } from "../../src/domain/ids.ts";
import { makeMessage } from "../../src/domain/message.ts";
import type { ApprovalRules } from "../../src/domain/protocol.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { dloHere } from "../cli/terminal.ts";
import { callsOn } from "../policy/office.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { approver, holdLetters, operator, replayWorld } from "./world.ts";

const reason = "payments is back";
const agent: Actor = { id: "bot", roles: ["operator"], kind: "agent" };
const byToken: Actor = { ...operator, token: { id: "0123456789ab", operations: null } };
const colleague: Actor = { ...operator, id: "ops-7" };
const containing = (text: string): unknown => expect.stringContaining(text);
const refusal = (queue: string, replayed: number, limit: number) => ({
  code: "APPROVAL_REFUSED",
  message: containing(`You replayed ${replayed} letters of ${queue} without approval today. The limit is ${limit}.`),
});

describeServer("plans that need no approval", noPostgres, () => {
  const postgres = usePostgres();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: postgres.database });
  });

  /** A queue of its own; each plan takes that many new letters of it. */
  function queueUnder(approvals: Partial<ApprovalRules> = {}) {
    const queue = `orders-${crypto.randomUUID()}`;
    const rules = { n: 1, roles: ["approver"], expiresS: 3_600, exemptUpTo: 10, ...approvals } as const;
    const call = callsOn(ledger, replayWorld(ledger, { protocol: { approvals: rules } }).parts);
    async function plan(n: number, by = operator, of = queue) {
      const bodies = Array.from({ length: n }, (_, index) => `${index}`);
      const letters = (await holdLetters(ledger, bodies, { queue: of })).map((id) => showId("letter", id));
      return call("replays.plan", by, { letters });
    }
    async function asked(n: number, by = operator, planner = by) {
      return call("replays.ask", by, { id: (await plan(n, planner)).id, reason });
    }
    const start = (id: string, n: number, by = operator) => call("replays.start", by, { id, expectCount: n });
    return { queue, call, plan, asked, start };
  }

  it("are counted for whoever starts them, by queue and over a day: not ten plans of ten letters", async () => {
    const { queue, call, plan, asked, start } = queueUnder();
    for (let n = 0; n < 4; n++) await start((await asked(10)).id, 10);
    // Asked for while there was room, and started when there is none.
    const [late, last] = [await asked(10), await asked(10)];
    expect(late.exemption).toMatchObject({ person: "ops-1", queues: [{ queue, n: 10, replayed: 40, limit: 50 }] });
    await start(last.id, 10, byToken);
    const refused = start(late.id, 10);
    await expect(refused).rejects.toMatchObject(refusal(queue, 50, 50));
    await expect(refused).rejects.toThrow(`dlo replay ask ${late.id}`);
    await expect(start(late.id, 10, byToken)).rejects.toMatchObject(refusal(queue, 50, 50));

    // What was planned before says so now, and another person may still start it.
    expect(await call("replays.get", operator, { id: late.id })).toMatchObject({
      ...{ approvalsNeeded: 1, nextStep: { code: "ask" } },
      notices: [{ code: "approval.day_limit", sentence: containing("50 letters") }],
    });
    await start((await asked(10, colleague, agent)).id, 10, colleague);

    // The way out: the same plan, approved by somebody else.
    const waiting = await call("replays.ask", operator, { id: late.id, reason });
    expect(waiting).toMatchObject({ state: "awaiting_approval", approvalsNeeded: 1, approverRoles: ["approver"] });
    const dayOver = { notices: [{ code: "approval.day_limit", sentence: containing("50 letters") }] };
    expect(waiting).toMatchObject(dayOver);
    await call("replays.approve", approver, { id: late.id, hash: waiting.approvalHash });
    expect(await call("replays.get", operator, { id: late.id })).toMatchObject({ state: "approved", ...dayOver });
    expect((await start(late.id, 10)).state).toBe("running");

    const [next, byAgent] = [await plan(1), await plan(1, agent)];
    expect([next.approvalsNeeded, next.nextStep.code, byAgent.approvalsNeeded]).toEqual([1, "ask", 0]);
    expect((await call("replays.ask", operator, { id: byAgent.id, reason })).state).toBe("awaiting_approval");
    // Another queue has a day of its own.
    expect((await plan(10, operator, `refunds-${crypto.randomUUID()}`)).approvalsNeeded).toBe(0);
  });

  it("cannot pass the limit by starting at once", async () => {
    const { queue, asked, start } = queueUnder({ exemptPerDay: 15 });
    for (let round = 0; round < 5; round++) {
      const who = { ...operator, id: `ops-at-once-${round}` };
      const plans = [await asked(10, who), await asked(10, who), await asked(10, who)];
      const started = await Promise.allSettled(plans.map(({ id }) => start(id, 10, who)));
      expect(started.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const each of started)
        if (each.status === "rejected") expect(each.reason).toMatchObject(refusal(queue, 10, 15));
    }
  });

  it("have the limit that the policy names, none where it needs no approvals at all, and forget after a day", async () => {
    const few = queueUnder({ exemptPerDay: 3 });
    await few.start((await few.asked(3)).id, 3);
    expect((await few.asked(1)).state).toBe("awaiting_approval");
    await postgres.database.query("update dlo.exempt_starts set at = at - interval '1 day' where queue = $1", [
      few.queue,
    ]);
    expect((await few.asked(3)).state).toBe("approved");
    const free = queueUnder({ n: 0, exemptPerDay: 1 });
    await free.start((await free.asked(5)).id, 5);
    await free.start((await free.asked(5)).id, 5);
  });

  it("are refused at the terminal in the same words, and shown as what they need", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dlo-exempt-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const config = join(folder, "dlo.config.yaml");
    writeFileSync(config, `version: 1\nsources: [{ name: rabbit, broker: postgres, url: "${postgres.url}" }]\n`);
    const policy = join(folder, "dlo.policy.yaml");
    writeFileSync(policy, "version: 1\nprotocols: { transient: { approvals: { exemptPerDay: 3 } } }\n");
    const run = (...line: string[]) =>
      dloHere([...line, "--config", config], { DATABASE_URL: postgres.url, USER: "ops-12" });
    const queue = `orders-${crypto.randomUUID()}`;
    const transport = postgresTransport({ database: postgres.database });
    onTestFinished(() => transport.close());
    await transport.send({ name: queue }, makeMessage({ body: "{}" }));
    expect((await run("policy", "apply", policy)).code).toBe(0);
    const ids: string[] = [];
    for (const _ of [1, 2]) {
      const letters = await holdLetters(ledger, ["a", "b"], { queue });
      const line = letters.map((id) => showId("letter", id)).join(",");
      const { stdout } = await run("replay", "plan", "--id", line, "--to", queue, "--json");
      ids.push((JSON.parse(stdout) as { id: string }).id);
    }
    const [first = "", second = ""] = ids;
    for (const id of ids) await run("replay", "ask", id, "--reason", reason);
    expect((await run("replay", "show", second)).stdout).toContain(
      `not required: ops-12 may replay 3 more letters of ${queue} without approval today`,
    );
    await callsOn(ledger)("replays.start", { ...operator, id: "ops-12" }, { id: first, expectCount: 2 });
    const refused = await run("replay", "run", second, "--expect-count", "2");
    expect([refused.code, refused.stderr]).toEqual([
      ...[5, containing(`You replayed 2 letters of ${queue} without approval today. The limit is 3.`)],
    ]);
    expect((await run("replay", "show", second)).stdout).toContain("required: 1 besides whoever asks");
    expect((await run("replay", "ask", second, "--reason", reason)).stdout).toContain("awaiting approval");
  });
});
