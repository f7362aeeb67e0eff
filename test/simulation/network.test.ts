import { expect, it } from "vitest";
import { type CallFault, callFaults } from "./faults.ts";
import { createNetwork } from "./network.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import { createWorld } from "./world.ts";

/** What a caller and the service each see of one call under one fault. */
async function callUnder(fault: CallFault | "ok", trouble: (setting: ReturnType<typeof setUp>) => void = () => {}) {
  const setting = setUp(fault);
  const { world, network, process } = setting;
  let done: number | undefined;
  let answered: { how: string; at: number } | undefined;
  const now = () => world.clock.now();
  const startedAt = now();
  network
    .call(process, "broker", "test", async () => {
      done = now() - startedAt;
      return "result";
    })
    .then(
      (how) => {
        answered = { how, at: now() - startedAt };
      },
      (error: unknown) => {
        answered = { how: (error as { code: string }).code, at: now() - startedAt };
      },
    );
  trouble(setting);
  await world.runUntil(() => false);
  return { done, answered, faults: Object.fromEntries(network.faults) };
}

function setUp(fault: CallFault | "ok", seed = "1") {
  const world = createWorld(seed);
  const weights = Object.fromEntries(callFaults.map((kind) => [kind, kind === fault ? 1 : 0])) as Record<
    CallFault,
    number
  >;
  const rates = { perCall: fault === "ok" ? 0 : 1, weights, longestMs: 5_000 };
  const network = createNetwork(world, { broker: rates, inbox: rates, state: rates, keys: rates });
  return { world, network, process: new SimulatedProcess(world, { name: "worker", skewMs: 0 }) };
}

it("does what is asked and answers when nothing goes wrong", async () => {
  const { done, answered, faults } = await callUnder("ok");
  expect(done).toBeLessThanOrEqual(answered?.at ?? -1);
  expect(answered?.how).toBe("result");
  expect(faults).toEqual({});
});

it.each([
  { fault: "refused", isDone: false, how: "ECONNREFUSED" },
  { fault: "reply-lost", isDone: true, how: "ECONNRESET" },
  { fault: "lost", isDone: false, how: "ECONNRESET" },
  { fault: "slow", isDone: true, how: "result" },
] as const)("is $fault: done $isDone, the caller sees $how", async ({ fault, isDone, how }) => {
  const { done, answered, faults } = await callUnder(fault);
  expect(done !== undefined).toBe(isDone);
  expect(answered?.how).toBe(how);
  expect(faults).toEqual({ [fault]: 1 });
});

it("is hung: no answer until the connection is cut, long after", async () => {
  const { answered } = await callUnder("hung");
  expect(answered?.how).toBe("ECONNRESET");
  expect(answered?.at).toBeGreaterThanOrEqual(500);
});

it("is late: done long after its caller has given up", async () => {
  const { done, answered } = await callUnder("late");
  expect(done).toBeGreaterThanOrEqual(500);
  expect(answered?.at).toBeLessThan(500);
});

it("does a dying process's last request or not, by a coin, and never answers it", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async (_, seed) => {
      const { world, network, process } = setUp("ok", `seed ${seed}`);
      let [done, answered] = [false, false];
      const note = () => {
        answered = true;
      };
      const doIt = async () => {
        done = true;
      };
      network.call(process, "broker", "test", doIt).then(note, note);
      process.crash("test");
      await world.runUntil(() => false);
      return { done, answered };
    }),
  );
  expect(new Set(outcomes.map(({ done }) => done))).toEqual(new Set([true, false]));
  expect(outcomes.filter(({ answered }) => answered)).toEqual([]);
});

it("breaks what hangs when it calms down, and nothing goes wrong afterwards", async () => {
  const { answered } = await callUnder("hung", ({ network }) => network.calmDown());
  expect(answered).toMatchObject({ how: "ECONNRESET", at: 0 });
  const { network, process, world } = setUp("refused");
  network.calmDown();
  const answer = network.call(process, "broker", "test", () => Promise.resolve("fine"));
  await world.runUntil(() => false);
  expect(await answer).toBe("fine");
});

it("refuses everything while a service is down, and nothing afterwards", async () => {
  const { network, process, world } = setUp("ok");
  const callNow = () => network.call(process, "broker", "test", () => Promise.resolve("fine")).catch(String);
  network.takeDown("broker", 1_000);
  const refused = callNow();
  const answered = new Promise((resolve) => process.later(1_000, () => resolve(callNow())));
  await world.runUntil(() => false);
  expect(await refused).toContain("ECONNREFUSED");
  expect(await answered).toBe("fine");
});
