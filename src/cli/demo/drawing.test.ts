import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { Scene } from "../../demo/scene.ts";
import { acts } from "../../demo/script.ts";
import { Story } from "../../demo/story.ts";
import { type Environment, terminalOf } from "../terminal/terminal.ts";
import { wrap } from "../terminal/text.ts";
import { drawScene } from "./drawing.ts";
import { leastColumns } from "./layout.ts";

/** Every second of a whole story. */
async function scenes(): Promise<Scene[]> {
  const story = new Story(1);
  const seen: Scene[] = [story.scene()];
  while (!story.isOver) {
    await story.advance(1_000);
    seen.push(story.scene());
  }
  return seen;
}

const all = await scenes();
const sceneAt = (second: number): Scene => all[second] ?? expect.fail(`The story has no second ${second}.`);

const around = { seed: 1, speed: 1, halted: false, hasKeys: true };

function draw(scene: Scene, size: { columns: number; rows: number }, env: Environment = { NO_COLOR: "1" }): string[] {
  const terminal = terminalOf({ isTTY: true, write: () => {} }, { LANG: "C.UTF-8", TERM: "xterm", ...env });
  return drawScene(scene, { ...around, ...size }, terminal);
}

const narrow = { columns: 80, rows: 24 };

describe.each([
  narrow,
  { columns: 81, rows: 25 },
  { columns: 120, rows: 40 },
  { columns: 140, rows: 45 },
  { columns: 250, rows: 70 },
  { columns: 60, rows: 15 },
  { columns: 10, rows: 3 },
])("in a window of $columns x $rows", (size) => {
  it("fills it exactly, at every moment", () => {
    for (const scene of all) {
      const lines = draw(scene, size);
      expect(lines).toHaveLength(size.rows);
      expect(new Set(lines.map((line) => [...line].length))).toEqual(new Set([size.columns]));
    }
  });

  it("shows the same in colour as without", () => {
    const scene = sceneAt(20);
    const coloured = draw(scene, size, {});
    expect(coloured.map(stripVTControlCharacters)).toEqual(draw(scene, size));
    expect(coloured).not.toEqual(draw(scene, size));
  });
});

it("draws in plain ASCII where the terminal knows no more", () => {
  for (const scene of all) expect(draw(scene, narrow, { LANG: "C", NO_COLOR: "1" }).join("")).toMatch(/^[ -~]*$/);
});

it("paints no backgrounds, so that it can be read on dark and on light", () => {
  const painted = all.flatMap((scene) => draw(scene, narrow, {})).join("");
  const codes = new Set(painted.split("\u001b[").flatMap((part) => part.slice(0, part.indexOf("m")).split(";")));
  expect(codes).toContain("31");
  expect([...codes].filter((code) => /^(4|10)\d$/.test(code))).toEqual([]);
});

it("has room for every caption", () => {
  expect(acts.filter(({ caption }) => wrap(caption, leastColumns).length > 2)).toEqual([]);
});

it("cuts off no line of the feed", () => {
  for (const scene of all) expect(draw(scene, narrow).slice(-5).join("\n")).not.toContain("..");
});

describe("the picture", () => {
  const picture = (second: number) => draw(sceneAt(second), narrow).join("\n");

  it("shows the breaker, closed, open with the time until its probe, and half-open", () => {
    expect(picture(10)).toMatch(/breaker closed .*\d+ % of calls failed, opens at 50 %/);
    expect(picture(22)).toMatch(/breaker OPEN .*a probe in \d\.\d s/);
    const halfOpen = {
      ...sceneAt(22),
      breaker: { ...sceneAt(22).breaker, phase: "half-open" as const, probesSucceeded: 2 },
    };
    expect(draw(halfOpen, narrow).join("\n")).toMatch(/breaker HALF-OPEN .*2 of 3 probes succeeded/);
  });

  it("shows what waits for a retry, and for how long", () => {
    expect(picture(19)).toMatch(/waiting to retry [1-9]/);
    expect(picture(19)).toMatch(/│ \d{4} \d\.\d s/);
  });

  it("shows the queue growing while the handlers are paused and payments is down", () => {
    expect(picture(24)).toMatch(/queue orders [1-9]\d/);
    expect(picture(24)).toContain("paused");
    expect(picture(24)).toContain("DOWN");
  });

  it("says how many are in the queue beyond those it has room to draw", () => {
    const crowded = { ...sceneAt(24), queue: { name: "orders", ready: 500 } };
    expect(draw(crowded, narrow).join("\n")).toMatch(/▪ \+\d+ │/);
  });

  it("shows dead letters by their reason, and quarantine apart from them", () => {
    expect(picture(60)).toMatch(/dead letters 2/);
    expect(picture(60)).toMatch(/schema_mismatch .* \d{4} poison/);
  });

  it("counts the duplicates that the inbox caught", () => {
    expect(picture(62)).toContain("caught 5");
  });

  it("says that it was halted, and how to go on", () => {
    const terminal = terminalOf({ isTTY: true, write: () => {} }, { NO_COLOR: "1" });
    const footer = drawScene(sceneAt(5), { ...around, ...narrow, halted: true }, terminal).at(-1);
    expect(footer).toMatch(/^halted +space goes on/);
  });
});

it("tells a small window what it lacks, and still tells the story", () => {
  const lines = draw(sceneAt(22), { columns: 60, rows: 15 });
  expect(lines.at(-1)).toContain("needs 80 x 24");
  expect(lines.join("\n")).toContain("breaker opens");
});
