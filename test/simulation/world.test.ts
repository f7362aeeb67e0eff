import { expect, it } from "vitest";
import { SimulatedProcess } from "./simulated-process.ts";
import { beginningOfTime, createWorld } from "./world.ts";

it("runs events by their time, not by when they were asked for, and takes no real time", async () => {
  const world = createWorld("1");
  const seen: string[] = [];
  for (const delayMs of [86_400_000, 5, 20]) {
    world.schedule(null, delayMs, () => seen.push(`${delayMs} at ${world.clock.now() - beginningOfTime}`));
  }
  await world.runUntil(() => false);
  expect(seen).toEqual(["5 at 5", "20 at 20", "86400000 at 86400000"]);
});

it("lets everything that can settle do so between two events", async () => {
  const world = createWorld("1");
  let awaited = 0;
  let seen = -1;
  const hop = async () => {
    while (awaited < 100) awaited += await Promise.resolve(1);
  };
  world.schedule(null, 1, () => void hop());
  world.schedule(null, 2, () => {
    seen = awaited;
  });
  await world.runUntil(() => false);
  expect(seen).toBe(100);
});

it("tries other orders of simultaneous events under other seeds, and the same one under the same seed", async () => {
  const orderUnder = async (seed: string) => {
    const world = createWorld(seed);
    for (const name of ["a", "b", "c"]) world.schedule(null, 1, () => world.trace.note(name));
    await world.runUntil(() => false);
    return world.trace;
  };
  const traces = await Promise.all(Array.from({ length: 60 }, (_, seed) => orderUnder(String(seed))));
  expect(new Set(traces.map(({ hash }) => hash)).size).toBe(6);
  expect((await orderUnder("7")).lastLines).toEqual(traces[7]?.lastLines);
});

it("delivers nothing to a process that crashed", async () => {
  const world = createWorld("1");
  const process = new SimulatedProcess(world, { name: "worker", skewMs: 0 });
  const seen: string[] = [];
  process.host.clock.after(10, () => seen.push("timer"));
  process.onCrash(() => seen.push("told"));
  world.schedule(null, 5, () => process.crash("test"));
  await world.runUntil(() => false);
  expect(seen).toEqual(["told"]);
});

it("delivers what a process missed while it stood still, in order, when it goes on", async () => {
  const world = createWorld("1");
  const process = new SimulatedProcess(world, { name: "worker", skewMs: 250 });
  const seen: string[] = [];
  for (const delayMs of [30, 10, 20]) {
    process.later(delayMs, () => seen.push(`${delayMs} at ${process.host.clock.now() - beginningOfTime}`));
  }
  process.standStill(1_000);
  await world.runUntil(() => false);
  expect(seen).toEqual(["10 at 1250", "20 at 1250", "30 at 1250"]);
});
