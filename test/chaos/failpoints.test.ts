import { expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { brokerNames, brokers } from "./brokers.ts";
import type { ConsumerProcess } from "./consumer-process.ts";
import { type Failpoint, failpointsOf } from "./failpoint.ts";
import { type Order, plainOrder } from "./order.ts";
import { type Scene, useBroker } from "./use-broker.ts";

/** That it hangs, in milliseconds; where many processes start at once on few cores, one alone may take half a minute. */
const hangsMs = 120_000;

/** What is asked of the inbox, whatever the broker. */
const ofTheInbox = failpointsOf({
  "begin-turn": ["before", "after"],
  remember: ["before", "after"],
  commit: ["before", "during", "after"],
});

/** A charge is for what came back: somebody must have died with it. */
const earlierDeaths: Readonly<Record<string, Failpoint>> = { charge: { step: "take", moment: "after" } };

/** Between them they reach every step. */
const orders: readonly Order[] = [
  plainOrder("quick"),
  plainOrder("slow", { workMs: 500 }),
  plainOrder("again", { conduct: "fail-transiently" }),
  plainOrder("refused", { conduct: "refuse" }),
];

for (const name of brokerNames) {
  const { label, missing, failpoints, capabilities } = brokers[name];
  // Where sending on and acknowledging are two things, a death between them leaves the letter twice.
  const mostLetters = capabilities.atomicOnward ? 1 : 2;
  describeServer(`a consumer on ${label}`, missing, () => {
    const broker = useBroker(name);

    it.concurrent.each([
      ...[...failpoints, ...ofTheInbox].map((failpoint) => ({ ...failpoint, inbox: true, how: "with an inbox" })),
      ...failpoints
        .filter(isAboutDuplicates)
        .map((failpoint) => ({ ...failpoint, inbox: false, how: "without an inbox" })),
    ])("loses nothing when it is killed $moment $step, $how", async ({ step, moment, inbox, how }) => {
      const scene = broker.open(`${step} ${moment} ${how}`);
      await scene.send(orders);
      await dieAt(scene, { step, moment }, inbox);
      const heir = scene.consume({ inbox });
      await eventually(() => expectEmptied(scene, heir), { withinMs: hangsMs });
      expect(await heir.stop()).toMatchObject({ code: 0, complaint: "" });
      const { lost, unexpected, dead, innocents, effectiveDuplicates } = await scene.judge();
      expect({ lost, unexpected, innocents }).toEqual({ lost: [], unexpected: [], innocents: [] });
      expect(Object.keys(dead)).toEqual(["unprocessable"]);
      expect(dead.unprocessable).toBeLessThanOrEqual(mostLetters);
      if (inbox) expect(effectiveDuplicates).toEqual([]);
    });
  });
}

async function expectEmptied({ depth }: Scene, heir: ConsumerProcess): Promise<void> {
  const left = await depth();
  if (left > 0) throw new Error(`${left} messages are left. ${heir.account()}`);
}

async function dieAt({ consume }: Scene, failpoint: Failpoint, inbox: boolean): Promise<void> {
  const deaths = [earlierDeaths[failpoint.step], failpoint].filter((point) => point !== undefined);
  for (const death of deaths) {
    const dying = consume({ inbox, failpoint: death });
    expect(await dying.endsWithin(hangsMs)).toMatchObject({ signal: "SIGKILL" });
  }
}

/** Without an inbox the rest is the same; here a message that was paid comes again. */
function isAboutDuplicates({ step }: Failpoint): boolean {
  return step === "acknowledge";
}
