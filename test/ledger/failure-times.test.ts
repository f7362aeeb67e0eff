import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { deadLetter, hold, tester, testRoom } from "./letters.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

onEachDatabase("when letters failed", (tested) => {
  let ledger: Ledger;
  let call: Call;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database, schema: `failed_${tested.name.toLowerCase()}` });
    call = callsOn(ledger);
  });

  const newQueue = () => `orders-${crypto.randomUUID()}`;

  /** Taken in now, in one batch; each failed so long ago, and null says nothing of it. */
  async function drain(queue: string, agosMs: readonly (number | null)[]): Promise<void> {
    const now = Date.now();
    const letters = agosMs.map((ago) => ({
      letter: deadLetter(
        { body: crypto.randomUUID(), headers: { queue, class: "TimeoutError", message: "timed out" } },
        { timestamp: ago === null ? null : now - ago },
      ),
      found: { kind: "position", position: crypto.randomUUID() } as const,
    }));
    await hold(ledger, letters, { room: testRoom(() => now) });
  }

  const list = async (q: string, sort: "-age" | "age", limit: number, after: string | null = null) =>
    call("letters.list", tester, { q, sort, limit, after });
  const count = async (q: string) => (await call("letters.count", tester, { q })).n;
  const inboxOf = async (queue: string) =>
    (await call("inbox.list", tester, { limit: 200 })).items.find((item) => item.queue === queue);
  const queueOf = async (queue: string) => {
    const { oldest, failures, arrived } = await call("queues.list", tester, {});
    const isHere = (each: { readonly queue: string }) => each.queue === queue;
    return {
      oldestAt: oldest.find(isHere)?.failedAt,
      hours: failures.find(isHere)?.hours,
      lastAt: arrived.find(isHere)?.lastAt,
    };
  };
  const hoursAgo = (moment: string | null | undefined) => Math.round((Date.now() - Date.parse(moment ?? "")) / hourMs);

  it("let the first drain of a queue of three weeks look as old as it is", async () => {
    const queue = newQueue();
    const begun = Date.now();
    const agos = Array.from({ length: 240 }, (_, n) => 21 * dayMs - n * 0.5 * hourMs);
    await drain(queue, agos.slice(0, 120));
    await drain(queue, agos.slice(120));
    const group = await inboxOf(queue);
    expect(group).toMatchObject({ why: "aging", open: 240, total: 240, hours: Array<number>(24).fill(0) });
    expect([group?.firstFailedAt, group?.oldestOpenAt, group?.lastFailedAt].map(hoursAgo)).toEqual([504, 504, 385]);
    // What the office took in lately is not lost on it.
    expect(Date.parse(group?.firstArrivedAt ?? "")).toBeGreaterThanOrEqual(begun);
    const { oldestAt, hours, lastAt } = await queueOf(queue);
    expect([hoursAgo(oldestAt), hours]).toEqual([504, undefined]);
    expect(Date.parse(lastAt ?? "")).toBeGreaterThanOrEqual(begun);
    const { oldest } = await call("figures.get", tester, {});
    expect(oldest.find((each) => each.queue === queue)?.ageS).toBeCloseTo((21 * dayMs) / 1_000, -3);
    const { failed, text } = await call("report.get", tester, {});
    expect([failed, text.split("\n")[1]]).toEqual([0, "0 failed; 240 open in 1 group, the oldest 21d"]);
    expect(await count(`queue:${queue} age:>30001m`)).toBe(8);
    expect(await count(`queue:${queue} failed:>now-1d`)).toBe(0);
    expect(await count(`queue:${queue} arrived:>now-1d`)).toBe(240);
  });

  it("make what fails now grow, however much of long ago is drained beside it", async () => {
    const queue = newQueue();
    await drain(queue, Array<number>(60).fill(3 * dayMs));
    expect(await inboxOf(queue)).toMatchObject({ why: "aging" });
    await drain(queue, Array<number>(25).fill(0));
    expect(await inboxOf(queue)).toMatchObject({ why: "growing", open: 85 });
    const { hours = [] } = await queueOf(queue);
    expect(hours.slice(-2).reduce((sum, n) => sum + n, 0)).toBe(25);
  });

  it("are when letters came where nobody says", async () => {
    const queue = newQueue();
    await drain(queue, Array<null>(25).fill(null));
    const group = await inboxOf(queue);
    expect(group).toMatchObject({ why: "growing", open: 25 });
    expect(group?.oldestOpenAt).toBe(group?.firstArrivedAt);
    expect((await list(`queue:${queue}`, "-age", 1)).items[0]).toMatchObject({ failedAtBy: "arrival" });
  });

  it("are not believed where they cannot be", async () => {
    const queue = newQueue();
    // A clock that was never set; one that is ahead by a day; one that is ahead by half a minute.
    await drain(queue, [Date.now(), -dayMs, -30_000, 2 * hourMs]);
    const { items } = await list(`queue:${queue}`, "-age", 10);
    expect(items.map(({ failedAt, arrivedAt }) => Date.parse(arrivedAt) - Date.parse(failedAt))).toEqual([
      2 * hourMs,
      0,
      0,
      0,
    ]);
    expect(items.map(({ failedAtBy }) => failedAtBy).toSorted()).toEqual(["arrival", "arrival", "broker", "broker"]);
    expect(hoursAgo((await queueOf(queue)).oldestAt)).toBe(2);
    expect((await queueOf(queue)).hours?.reduce((sum, n) => sum + n, 0)).toBe(4);
  });

  it("agree in every figure with the letters that a search finds", async () => {
    const minutesAgo = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(null, 0, 60));
    const batches = fc.array(fc.array(minutesAgo, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        const queue = newQueue();
        for (const batch of given)
          await drain(
            queue,
            batch.map((ago) => (ago === null ? null : ago * 60_000)),
          );
        const now = Date.now();
        const letters = given.flat().length;
        const { oldestAt, hours = Array<number>(24).fill(0) } = await queueOf(queue);
        for (const [place, n] of hours.entries()) {
          const begins = (Math.floor(now / hourMs) - 23 + place) * hourMs;
          const [from, to] = [begins, begins + hourMs].map((ms) => new Date(ms).toISOString());
          expect(await count(`queue:${queue} failed:${from}..${to}`)).toBe(n);
        }
        const sorted: string[] = [];
        for (let after: string | null = null; ; ) {
          const page: Awaited<ReturnType<typeof list>> = await list(`queue:${queue}`, "-age", 7, after);
          sorted.push(...page.items.map(({ id, failedAt }) => `${failedAt} ${id}`));
          after = page.next;
          if (after === null) break;
        }
        expect(sorted).toEqual([...new Set(sorted)].sort());
        expect(sorted).toHaveLength(letters);
        expect(sorted[0]).toContain(oldestAt);
        const youngest = (await list(`queue:${queue}`, "age", 200)).items.map(
          ({ id, failedAt }) => `${failedAt} ${id}`,
        );
        expect(youngest).toEqual(sorted.toReversed());
      }),
      { numRuns: 6, seed: 1 },
    );
  });
});
