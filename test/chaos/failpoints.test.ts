import { expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { brokers } from "./brokers.ts";
import type { Failpoint } from "./failpoint.ts";
import { type Order, plainOrder } from "./order.ts";
import { useBroker } from "./use-broker.ts";

/** Every step in which something is asked of the broker or the inbox, and the moments that make a difference. */
const points: readonly { readonly step: string; readonly moments: readonly Failpoint["moment"][] }[] = [
  { step: "take", moments: ["during", "after"] },
  { step: "extend", moments: ["before", "after"] },
  { step: "charge", moments: ["before", "during", "after"] },
  { step: "begin-turn", moments: ["before", "after"] },
  { step: "remember", moments: ["before", "after"] },
  { step: "commit", moments: ["before", "during", "after"] },
  { step: "acknowledge", moments: ["before", "during", "after"] },
  { step: "replace", moments: ["before", "during", "after"] },
  { step: "move", moments: ["before", "during", "after"] },
];

const failpoints = points.flatMap(({ step, moments }) => moments.map((moment): Failpoint => ({ step, moment })));

/** A charge is for what came back: somebody must have died with it. */
const earlierDeaths: Readonly<Record<string, Failpoint>> = { charge: { step: "take", moment: "after" } };

/** Between them they reach every step. */
const orders: readonly Order[] = [
  plainOrder("quick"),
  plainOrder("slow", { workMs: 500 }),
  plainOrder("again", { conduct: "fail-transiently" }),
  plainOrder("refused", { conduct: "refuse" }),
];

describeServer("a consumer on PostgreSQL", brokers.postgres.missing, () => {
  const broker = useBroker("postgres");

  it.concurrent.each([
    ...failpoints.map((failpoint) => ({ ...failpoint, inbox: true, how: "with an inbox" })),
    ...failpoints
      .filter(isAboutDuplicates)
      .map((failpoint) => ({ ...failpoint, inbox: false, how: "without an inbox" })),
  ])("loses nothing when it is killed $moment $step, $how", async ({ step, moment, inbox, how }) => {
    const { send, consume, depth, judge } = broker.open(`${step} ${moment} ${how}`);
    await send(orders);
    for (const failpoint of [earlierDeaths[step], { step, moment }].filter((point) => point !== undefined)) {
      const dying = consume({ inbox, failpoint });
      await eventually(() => dying.hasEnded, { withinMs: 30_000 });
      expect(await dying.ended).toMatchObject({ signal: "SIGKILL" });
    }
    const heir = consume({ inbox });
    await eventually(async () => (await depth()) === 0, { withinMs: 30_000 });
    expect(await heir.stop()).toMatchObject({ code: 0, complaint: "" });
    const { lost, unexpected, dead, innocents, effectiveDuplicates } = await judge();
    expect({ lost, unexpected, dead, innocents }).toEqual({
      lost: [],
      unexpected: [],
      dead: { unprocessable: 1 },
      innocents: [],
    });
    if (inbox) expect(effectiveDuplicates).toEqual([]);
  });
});

/** Without an inbox the rest is the same; here a message that was paid comes again. */
function isAboutDuplicates({ step }: Failpoint): boolean {
  return step === "acknowledge";
}
