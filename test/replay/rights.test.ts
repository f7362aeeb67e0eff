import { beforeAll, expect, it } from "vitest";
import type { Actor } from "../../src/domain/actor.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { approve, ask } from "../../src/office/replay/approve-replay.ts";
import { approvalHash } from "../../src/office/replay/plan-hash.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { countsOf, holdLetters, operator, planned, replayWorld, run, started, stateOf } from "./world.ts";

onEachDatabase("rights in some queues", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
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
});
