import { expect } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { countsOf, itemsOf, letterStates, planned, recordFix } from "../replay/world.ts";
import type { UsedPostgres } from "../servers/use-postgres.ts";
import { jobsOffice } from "./jobs-office.ts";

/** A real framework with a worker at work, whose jobs fail with a refused connection until that is mended. */
export interface Workshop {
  /** As the configuration has it: `broker: bullmq, url: …`. */
  readonly source: string;
  /** Where its failed jobs are listed. */
  readonly place: string;
  /** The runs it gives a job that is put back; null: it does not say. */
  readonly runs: number | null;
  /** Whether a job has an id that stays with it: without one, what fails again is another letter. @default true */
  readonly hasIds?: boolean;
  /** Jobs that were done, by the name they were given; each as often as it was. */
  readonly done: readonly string[];
  add(name: string): Promise<void>;
  /** Names of the jobs that are failed now, in any order. */
  failed(): Promise<readonly string[]>;
  /** Puts one back by the framework's own means. */
  retry(name: string): Promise<void>;
  /** Waits until the next failure can be told from the last, where a framework keeps the second alone. */
  apart?(): Promise<void>;
  mend(): void;
}

/** What a worker says whose dependency is down. */
export const refused = () => Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:443"), { code: "ECONNREFUSED" });

const patience = { withinMs: 60_000 };

/**
 * What every framework has to stand: its failed jobs are read and stay, are one group, are put back once and run; what its own
 * people moved meanwhile is left alone; what fails again is the letter it was, and can be put back again.
 */
export async function tellJobStory(shop: Workshop, postgres: UsedPostgres, schema: string): Promise<void> {
  const office = await jobsOffice(postgres, shop.source, schema);
  const { parts } = office;
  await shop.add("kept");
  await shop.add("taken");
  await eventually(async () => expect([...(await shop.failed())].sort()).toEqual(["kept", "taken"]), patience);

  expect(await office.drain(shop.place)).toMatchObject({ held: 2 });
  expect(await office.drain(shop.place)).toMatchObject({ held: 0, known: 2 });
  expect([...(await shop.failed())].sort()).toEqual(["kept", "taken"]);
  const letters = await office.letters();
  expect(letters).toMatchObject([{ category: "transient", state: "open" }, { category: "transient" }]);
  expect(new Set(letters.map(({ groupId }) => groupId)).size).toBe(1);

  // Somebody retries one of them by the framework itself, and it fails once more: another failure, another letter.
  await shop.apart?.();
  await shop.retry("taken");
  await eventually(async () => {
    await office.drain(shop.place);
    expect(await office.letters()).toHaveLength(3);
  }, patience);
  const ids = (await office.letters()).map(({ id }) => id);
  const plan = await planned(parts, ids);
  expect(await countsOf(parts, plan)).toMatchObject({ selected: 3, toSend: 2, skipped: 1 });
  const reasons = (await itemsOf(parts, plan)).map(({ reason, details }) => [reason, details.sentence]);
  const known = shop.runs === 1 ? "it gets one run." : `it gets up to ${shop.runs} runs.`;
  const runs = shop.runs === null ? "one run, and more if its workers retry it." : known;
  expect(reasons.filter(([reason]) => reason === "job.moved")).toHaveLength(1);
  expect(reasons.filter(([, sentence]) => sentence?.endsWith(runs))).toHaveLength(2);

  // Put back too early, it is back.
  const first = ids.slice(-1);
  await shop.apart?.();
  await office.replay(first);
  const { hasIds = true } = shop;
  await eventually(async () => {
    await office.drain(shop.place);
    if (hasIds) expect(await letterStates(office.ledger, first)).toEqual(["returned"]);
    else expect(await office.letters()).toHaveLength(4);
  }, patience);

  shop.mend();
  const all = (await office.letters()).map(({ id }) => id);
  await recordFix(parts, all, Date.now() + 3_600_000);
  const replay = await office.replay(all);
  expect(await countsOf(parts, replay)).toMatchObject({ toSend: 2, skipped: hasIds ? 1 : 2, inDoubt: 0, drifted: 0 });
  await eventually(() => expect([...shop.done].sort()).toEqual(["kept", "taken"]), patience);
  expect(await shop.failed()).toEqual([]);
}
