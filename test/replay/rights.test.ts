import { beforeAll, expect, it } from "vitest";
import type { Actor } from "../../src/domain/actor.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { addPerson, changePerson, setPassword } from "../../src/ledger/people/people.ts";
import { renamePerson } from "../../src/ledger/people/rename-person.ts";
import { type NamedRole, putRole } from "../../src/ledger/people/roles.ts";
import { readApprovals, readReplay } from "../../src/ledger/read-replay.ts";
import { approve, ask, breakGlass } from "../../src/office/replay/approve-replay.ts";
import { standingApprovals } from "../../src/office/replay/approvers.ts";
import { describeReplay } from "../../src/office/replay/describe-replay.ts";
import { approvalHash } from "../../src/office/replay/plan-hash.ts";
import { planReplay } from "../../src/office/replay/plan-replay.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { resume, start } from "../../src/office/replay/steer-replay.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { approver, countsOf, holdLetters, operator, planned, replayWorld, run, started, stateOf } from "./world.ts";

onEachDatabase("rights in some queues", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  it("are those of whoever had a name then, not of whoever has it now", async () => {
    const approvals = { n: 1, roles: ["approver"], expiresS: 3_600, exemptUpTo: 0 } as const;
    const { parts } = replayWorld(ledger, { protocol: { approvals } });
    const called = (id: string): Actor => ({ id, kind: "human", roles: ["operator", "approver"] });
    for (const id of ["eve", "zoe"])
      await addPerson(ledger, ledger.database, { id, kind: "human", roles: ["operator", "approver"] });
    const letters = await holdLetters(ledger, ["a"]);
    const replay = await planReplay(parts, called("eve"), { letters, query: "queue:orders" });
    await ask(parts, called("eve"), { replay, reason: "back again" });
    const { planHash } = await readReplay(ledger, ledger.database, { id: replay });
    const approval = { replay, reason: "yes", hash: approvalHash(planHash, []) };

    await renamePerson(ledger, ledger.database, { id: "eve", to: "eva" });
    await expect(approve(parts, called("eva"), approval)).rejects.toMatchObject({ code: "APPROVAL_REFUSED" });
    expect((await readReplay(ledger, ledger.database, { id: replay })).requestedBy).toBe("eva");
    await approve(parts, called("zoe"), approval);
    await renamePerson(ledger, ledger.database, { id: "zoe", to: "zara" });
    await addPerson(ledger, ledger.database, { id: "zoe", kind: "human", roles: ["operator", "approver"] });
    expect((await readApprovals(ledger, ledger.database, replay)).map(({ actor }) => actor)).toEqual(["zara"]);
    await changePerson(ledger, ledger.database, { id: "zara", roles: [], isDisabled: false });
    const [given] = await standingApprovals(
      parts,
      ledger.database,
      await readReplay(ledger, ledger.database, { id: replay }),
    );
    expect(given?.isEntitled).toBe(false);
  });

  it("let only those approve who have the policy's role in all queues that a replay is about", async () => {
    const approvals = { n: 1, roles: ["admin"], expiresS: 3_600, exemptUpTo: 0 } as const;
    const { parts } = replayWorld(ledger, { protocol: { approvals } });
    const adminOf = (...queues: readonly string[]): Actor => ({
      ...{ id: "ops-2", kind: "human", roles: ["approver", "admin"] },
      grants: [
        { is: "approver", queues: ["*"], reveals: false },
        { is: "admin", queues, reveals: false },
      ],
    });
    const decide = async (who: Actor, redirect: string | null = null) => {
      const replay = await planned(parts, await holdLetters(ledger, ["a"]), { redirect });
      await ask(parts, operator, { replay, reason: "back again" });
      const { planHash } = await readReplay(ledger, ledger.database, { id: replay });
      await approve(parts, who, { replay, reason: "yes", hash: approvalHash(planHash, []) });
      return stateOf(parts, replay);
    };
    const refused: unknown = expect.objectContaining({ code: "APPROVAL_REFUSED" });
    await expect(decide(adminOf("rabbit/refunds"))).rejects.toEqual(refused);
    await expect(decide(adminOf("rabbit/orders"), "refunds")).rejects.toEqual(refused);
    expect(await decide(adminOf("rabbit/orders", "rabbit/refunds"), "refunds")).toBe("approved");
    expect(await decide(adminOf("rabbit/o*"))).toBe("approved");
  });

  it("are asked for again as a replay runs: nothing more goes for somebody who was shut out", async () => {
    const { parts, sent } = replayWorld(ledger);
    const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
    await started(parts, replay);
    await run(parts, replay, undefined, undefined, { ...operator, roles: [] });
    expect(sent).toEqual([]);
    expect(await countsOf(parts, replay)).toMatchObject({ drifted: 2, sent: 0 });
  });

  const needsOne = { approvals: { n: 1, roles: ["approver"], expiresS: 3_600, exemptUpTo: 0 } } as const;
  const recordOf = (replay: Uint8Array) => readReplay(ledger, ledger.database, { id: replay });
  const approveAs = async (parts: ReplayParts, who: Actor, replay: Uint8Array) =>
    approve(parts, who, { replay, reason: "yes", hash: approvalHash((await recordOf(replay)).planHash, []) });

  /** Somebody the office knows, with a password, who approved a replay of two letters in `orders`. */
  async function approvedBy(id: string, roles: readonly string[], configured: readonly NamedRole[] = []) {
    const world = replayWorld(ledger, { protocol: needsOne });
    const parts = { ...world.parts, roles: configured };
    await addPerson(ledger, ledger.database, { id, kind: "human", roles });
    await setPassword(ledger, ledger.database, id, "hashed");
    const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
    await ask(parts, operator, { replay, reason: "back again" });
    await approveAs(parts, { ...approver, id }, replay);
    expect(await stateOf(parts, replay)).toBe("approved");
    return { ...world, parts, replay };
  }

  it("end with whoever had them: an approval of somebody who was shut out since starts nothing", async () => {
    const { parts, replay } = await approvedBy("shut-out", ["approver"]);
    await changePerson(ledger, ledger.database, { id: "shut-out", roles: ["approver"], isDisabled: true });
    await expect(start(parts, operator, { replay, expectCount: 2 })).rejects.toMatchObject({
      code: "APPROVAL_REFUSED",
    });
    expect((await describeReplay(parts, await recordOf(replay))).approvals).toMatchObject([
      { actor: "shut-out", verdict: "approved", counts: false },
    ]);
  });

  it("stop a replay that runs when its approver loses the role there, until somebody else approves", async () => {
    const role = { name: "orders-eyes", is: "approver", reveals: false } as const;
    await putRole(ledger, ledger.database, { ...role, queues: ["rabbit/orders"] });
    const { parts, replay, sent } = await approvedBy("moved", ["orders-eyes"]);
    await start(parts, operator, { replay, expectCount: 2 });
    await putRole(ledger, ledger.database, { ...role, queues: ["rabbit/refunds"] });
    expect(await run(parts, replay)).toBe("halted");
    expect([sent, (await recordOf(replay)).haltedBy?.guard]).toEqual([[], "approval"]);
    const goOn = () => resume(parts, operator, { replay, reason: "somebody else looked" });
    await expect(goOn()).rejects.toMatchObject({ code: "APPROVAL_REFUSED" });
    await approveAs(parts, approver, replay);
    await goOn();
    expect([await run(parts, replay), sent.length]).toEqual(["finished", 2]);
  });

  it("stop a replay behind a broken glass when whoever broke it is no administrator there any more", async () => {
    const role = { name: "orders-admin", is: "admin", reveals: false } as const;
    const grantsIn = (queue: string) => [{ is: "admin", queues: [`rabbit/${queue}`], reveals: false } as const];
    await putRole(ledger, ledger.database, { ...role, queues: ["rabbit/orders"] });
    await addPerson(ledger, ledger.database, { id: "glazier", kind: "human", roles: ["orders-admin"] });
    const { parts, sent } = replayWorld(ledger, { protocol: needsOne });
    const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
    await ask(parts, operator, { replay, reason: "back again" });
    const breaking = (queue: string) =>
      breakGlass(
        parts,
        { id: "glazier", kind: "human", roles: ["admin"], grants: grantsIn(queue) },
        { replay, reason: "nobody else is awake" },
      );
    await expect(breaking("refunds")).rejects.toMatchObject({ code: "APPROVAL_REFUSED" });
    await breaking("orders");
    await start(parts, operator, { replay, expectCount: 2 });
    await putRole(ledger, ledger.database, { ...role, queues: ["rabbit/refunds"] });
    expect(await run(parts, replay)).toBe("halted");
    expect([sent, (await recordOf(replay)).haltedBy?.guard]).toEqual([[], "approval"]);
  });

  it("say who could approve: by roles of the configuration too, where they hold, and without a hand in it", async () => {
    const named = (name: string, queue: string): NamedRole => ({
      ...{ name, is: "approver", queues: [`rabbit/${queue}`], reveals: false },
    });
    const configured = [named("of-orders", "orders"), named("of-refunds", "refunds")];
    const { parts } = await approvedBy("right-place", ["of-orders"], configured);
    for (const [id, role] of [["wrong-place", "of-refunds"] as const, [operator.id, "of-orders"] as const]) {
      await addPerson(ledger, ledger.database, { id, kind: "human", roles: [role] });
      await setPassword(ledger, ledger.database, id, "hashed");
    }
    const describe = async (roles: readonly NamedRole[]) => {
      const replay = await planned(parts, await holdLetters(ledger, ["a"]));
      const { approvers, notices } = await describeReplay({ ...parts, roles }, await recordOf(replay));
      return { approvers, notices: notices.map(({ code }) => code) };
    };
    expect(await describe(configured)).toEqual({ approvers: ["right-place"], notices: [] });
    expect(await describe([named("of-refunds", "refunds")])).toEqual({
      ...{ approvers: [], notices: ["approval.nobody"] },
    });
  });
});
