import { expect, it } from "vitest";
import { hexOf, makeId } from "../../domain/ids.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { standingReplays } from "./standing-replays.ts";

/** Replays that are under way until they are run to their end; running one never ends by itself. */
function setup(count: number, fails: (id: string) => boolean = () => false) {
  const clock = fakeClock();
  const open = Array.from({ length: count }, (_, n) => makeId(n + 1, crypto.randomUUID()));
  const led = new Map<string, () => void>();
  const tries: string[] = [];
  let settled = 0;
  let begun = 0;
  const standing = standingReplays(
    {
      clock,
      findLeaderless: async ({ except, limit }) => {
        const without = new Set(except.map(hexOf));
        return open.filter((id) => !without.has(hexOf(id))).slice(0, limit);
      },
      beginAuto: async () => {
        begun += 1;
        throw new Error("the ledger does not answer");
      },
      settleEnded: async () => {
        settled += 1;
        if (settled === 1) throw new Error("the broker is away");
      },
      run(id, signal) {
        const name = hexOf(id);
        tries.push(name);
        if (fails(name)) return Promise.reject(new Error("the broker is away"));
        return new Promise<void>((resolve) => {
          const end = () => {
            led.delete(name);
            resolve();
          };
          led.set(name, end);
          signal.addEventListener("abort", end);
        });
      },
    },
    { atOnce: 2, lookMs: 1_000, settleMs: 60_000, autoMs: 15_000 },
  );
  const finish = (n: number) => {
    const [id] = open.splice(n, 1);
    if (id !== undefined) led.get(hexOf(id))?.();
  };
  return { clock, open, led, tries, standing, finish, settled: () => settled, begun: () => begun };
}

it("leads the oldest, no more at once than it may, and the next as soon as one has ended", async () => {
  const { clock, open, led, standing, finish } = setup(3);
  await clock.advance(5_000);
  const [first, second, third] = open.map(hexOf);
  expect([...led.keys()]).toEqual([first, second]);
  finish(0);
  await clock.advance(1_000);
  expect([...led.keys()]).toEqual([second, third]);
  expect(standing.status()).toMatchObject([{ state: "leading" }, { state: "leading" }]);
  await standing.close();
  expect(led.size).toBe(0);
});

it("tries one that fails again, later each time, says why, and leads others meanwhile", async () => {
  let failing = "";
  const { clock, open, led, tries, standing } = setup(3, (id) => id === failing);
  failing = hexOf(open[0] ?? new Uint8Array());
  await clock.advance(20_000);
  expect(led.size).toBe(2);
  expect(standing.status()).toContainEqual(
    expect.objectContaining({ state: "waiting", trouble: "the broker is away" }),
  );
  // The others have both places by then.
  expect(tries.filter((id) => id === failing).length).toBeLessThan(4);
  await standing.close();
});

it("looks for letters that may go by themselves four times a minute, whatever fails, until it is closed", async () => {
  const { clock, standing, begun } = setup(0);
  await clock.advance(40_000);
  expect(begun()).toBe(3);
  await standing.close();
  await clock.advance(40_000);
  expect(begun()).toBe(3);
});

it("seeks evidence of what ended replays left in doubt, again and again, whatever fails", async () => {
  const { clock, standing, settled } = setup(0);
  await clock.advance(150_000);
  expect(settled()).toBe(3);
  await standing.close();
  await clock.advance(150_000);
  expect(settled()).toBe(3);
});
