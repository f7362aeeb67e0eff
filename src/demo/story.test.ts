import { describe, expect, it } from "vitest";
import type { StoryRecord } from "./record.ts";
import { acts } from "./script.ts";
import type { Line } from "./sentences.ts";
import { type Ending, Story } from "./story.ts";

interface Told {
  readonly acts: { readonly title: string; readonly atMs: number }[];
  readonly lines: Line[];
  readonly records: StoryRecord[];
}

/** Plays a story, the whole of it or the first `untilMs`, as fast as the machine can. */
async function tell(seed: number, untilMs = 120_000): Promise<Told & { readonly ending: Ending }> {
  const told: Told = { acts: [], lines: [], records: [] };
  const story = new Story(seed, {
    act: ({ title }, atMs) => told.acts.push({ title, atMs }),
    line: (line) => told.lines.push(line),
    record: (record) => told.records.push(record),
  });
  while (!story.isOver && story.atMs < untilMs) await story.advance(100);
  return { ...told, ending: await story.end() };
}

const texts = ({ lines }: Told) => lines.map(({ text }) => text).join("\n");

/** What the runtime reported while an act was on. */
function during({ acts: begun, records }: Told, title: string): StoryRecord[] {
  const index = begun.findIndex((act) => act.title === title);
  const [from = Number.NaN, to = Number.POSITIVE_INFINITY] = begun.slice(index, index + 2).map(({ atMs }) => atMs);
  return records.filter(({ atMs }) => atMs >= from && atMs < to);
}

const countOf = (records: readonly StoryRecord[], facts: Partial<StoryRecord>) =>
  records.filter((record) => Object.entries(facts).every(([name, value]) => record[name] === value)).length;

describe.each([1, 2, 3, 4, 5])("the story of seed %i", async (seed) => {
  const told = await tell(seed);
  const { ending } = told;

  it("plays every act, in 60 to 90 seconds", () => {
    expect(told.acts.map(({ title }) => title)).toEqual(acts.map(({ title }) => title));
    expect(ending.tookMs).toBeGreaterThan(60_000);
    expect(ending.tookMs).toBeLessThan(90_000);
  });

  it("goes well at first", () => {
    const records = during(told, "All is well");
    expect(countOf(records, { type: "attempt-succeeded" })).toBeGreaterThan(20);
    expect(countOf(records, { type: "attempt-failed" })).toBe(0);
  });

  it("retries what payments fails, and recovers it", () => {
    const records = during(told, "Payments begins to fail");
    expect(countOf(records, { type: "retried", because: "failure" })).toBeGreaterThan(5);
    expect(countOf(records, { type: "breaker-changed" })).toBe(0);
    expect(ending.recovered).toBeGreaterThan(5);
    expect(texts(told)).toMatch(/order \d+ failed: payments timed out; again in \d\.\d s \(attempt 2 of 5\)/);
  });

  it("opens the breaker and keeps orders in the queue, unharmed", () => {
    const records = during(told, "The breaker opens");
    const opened = records.findIndex(({ type, phase }) => type === "breaker-changed" && phase === "open");
    const attempts = records.slice(opened).filter(({ type }) => type === "attempt-started");
    expect(opened).toBeGreaterThan(0);
    expect(attempts).toHaveLength(1);
    expect(countOf(records, { type: "dead-lettered" })).toBe(0);
  });

  it("closes it after three probes, and drains the backlog", () => {
    const records = during(told, "Back to work, carefully");
    const phases = records.filter(({ type }) => type === "breaker-changed").map(({ phase }) => phase);
    expect(phases).toEqual(["half-open", "closed"]);
    expect(countOf(records, { type: "attempt-succeeded" })).toBeGreaterThan(50);
  });

  it("quarantines one poisonous order after three equal failures, and no other", () => {
    expect(countOf(during(told, "One message is poison"), { type: "quarantined", attempt: 3 })).toBe(1);
    expect(ending.quarantined).toEqual({ poison: 1 });
  });

  it("dead-letters at once what no retry can help", () => {
    const records = during(told, "Failures that no retry can help");
    expect(countOf(records, { type: "dead-lettered", reason: "schema_mismatch" })).toBe(1);
    expect(countOf(records, { type: "dead-lettered", reason: "unprocessable", attempt: 1 })).toBe(1);
    expect(countOf(records, { type: "retried" })).toBe(0);
  });

  it("suppresses duplicates", () => {
    expect(countOf(during(told, "The same order twice"), { type: "duplicate" })).toBe(5);
    expect(ending).toMatchObject({ duplicates: 5, chargedTwice: 0 });
  });

  it("accounts for every message in the end", () => {
    const { sent, charged, duplicates, deadLettered, quarantined, queued, lost } = ending;
    const dead = [...Object.values(deadLettered), ...Object.values(quarantined)].reduce((sum, count) => sum + count);
    expect({ queued, lost }).toEqual({ queued: 0, lost: 0 });
    expect(charged + duplicates + dead).toBe(sent);
  });
});

it("tells the same story again for the same seed, and another for another", async () => {
  const [first, again, other] = [await tell(7, 30_000), await tell(7, 30_000), await tell(8, 30_000)];
  expect(again).toEqual(first);
  expect(other.records).not.toEqual(first.records);
});

it.each([0, 1_234, 19_500, 24_000, 33_333, 38_000])("loses nothing when it is ended after %i ms", async (untilMs) => {
  const { ending } = await tell(1, untilMs);
  expect(ending).toMatchObject({ lost: 0, chargedTwice: 0 });
});

it("leaves in the queue what was not taken when it ended", async () => {
  const { ending } = await tell(1, 24_000);
  expect(ending.queued).toBeGreaterThan(10);
});

it("says everything in lines that a narrow terminal has room for", async () => {
  const tooLong = (await tell(1)).lines.filter(({ text }) => text.length > 72);
  expect(tooLong).toEqual([]);
});
