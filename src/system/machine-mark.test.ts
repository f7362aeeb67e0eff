import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { markFolder } from "./machine-mark.ts";

const tuning = { beatMs: 10, watchMs: 50 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dlo-mark-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("keeps other machines from a folder while one has it, and leaves nothing behind", async () => {
  const mark = await markFolder(folder, { machine: "one", tuning });
  const patient = { ...tuning, watchMs: 60_000 };
  await expect(markFolder(folder, { machine: "other", tuning: patient })).rejects.toThrow("A process on the machine");
  await mark.release();
  expect(existsSync(join(folder, "machine.json"))).toBe(false);
  await (await markFolder(folder, { machine: "other", tuning })).release();
});

it("gives the folder of a machine that is silent to another", async () => {
  // It beats once, and then not for longer than anybody watches.
  await markFolder(folder, { machine: "one", tuning: { beatMs: 3_600_000, watchMs: 0 } });
  const mark = await markFolder(folder, { machine: "other", tuning });
  await mark.release();
  expect(readdirSync(folder)).toEqual([]);
});

it.each(["nobody has", "a dead machine had"])(
  "gives a folder that %s to one of all that come at once",
  async (before) => {
    if (before !== "nobody has")
      await markFolder(folder, { machine: "dead", tuning: { beatMs: 3_600_000, watchMs: 0 } });
    const tries = await Promise.allSettled(
      ["one", "two", "three", "four"].map((machine) =>
        markFolder(folder, { machine, tuning: { beatMs: 20, watchMs: 1_000 } }),
      ),
    );
    const marks = tries.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(marks).toHaveLength(1);
    await marks[0]?.release();
    expect(readdirSync(folder)).toEqual([]);
  },
);

it("waits for a machine that has not finished its mark, and takes its folder only if it never does", async () => {
  const path = join(folder, "machine.json");
  writeFileSync(path, "");
  const late = markFolder(folder, { machine: "late", tuning: { ...tuning, watchMs: 60_000 } });
  let beat = 0;
  const beats = () =>
    writeFileSync(path, JSON.stringify({ machine: "first", host: "elsewhere", beat: String(++beat) }));
  const beating = setInterval(beats, tuning.beatMs);
  await expect(late)
    .rejects.toThrow("A process on the machine")
    .finally(() => clearInterval(beating));
  writeFileSync(path, "");
  await (await markFolder(folder, { machine: "later", tuning })).release();
  expect(readdirSync(folder)).toEqual([]);
});

it("ends a machine that stood still for so long that another has its folder", async () => {
  const taken = JSON.stringify({ machine: "other", host: "elsewhere", beat: "1" });
  let stealing: NodeJS.Timeout | undefined;
  const lost = await new Promise((onLost) => {
    void markFolder(folder, { machine: "sleeper", tuning, onLost });
    // Over and over: a beat that has looked already writes once more.
    stealing = setInterval(() => writeFileSync(join(folder, "machine.json"), taken), tuning.beatMs);
  });
  clearInterval(stealing);
  expect(lost).toMatchObject({ code: "LEDGER_IN_USE", details: { host: "elsewhere" } });
});

it("does not make processes of one machine wait for each other", async () => {
  await markFolder(folder, { machine: "one", tuning: { beatMs: 3_600_000, watchMs: 0 } });
  const forEver = { beatMs: 3_600_000, watchMs: 3_600_000 };
  await (await markFolder(folder, { machine: "one", tuning: forEver })).release();
});
