import { expect, it } from "vitest";
import { Roster } from "./roster.ts";

it("lets a suspect run only when nobody else does, and nobody while it runs", async () => {
  const roster = new Roster();
  const order: string[] = [];
  expect(roster.join()).toBeUndefined();
  const alone = roster.beAlone().then(() => order.push("suspect"));
  const later = roster.join()?.then(() => order.push("other"));
  await Promise.resolve();
  expect(order).toEqual([]);
  roster.leave();
  await alone;
  expect(order).toEqual(["suspect"]);
  roster.leaveAlone();
  await later;
  expect(order).toEqual(["suspect", "other"]);
});

it("lets suspects run one after the other", async () => {
  const roster = new Roster();
  let together = 0;
  let most = 0;
  const run = async () => {
    await roster.beAlone();
    most = Math.max(most, ++together);
    await Promise.resolve();
    together--;
    roster.leaveAlone();
  };
  await Promise.all([run(), run(), run()]);
  expect(most).toBe(1);
  expect(roster.join()).toBeUndefined();
});
