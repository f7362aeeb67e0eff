import { describe, expect, it } from "vitest";
import { progressOn } from "./progress.ts";
import { terminalOf } from "./terminal.ts";

function setup({ isTTY }: { isTTY: boolean }) {
  let written = "";
  let now = 0;
  const output = {
    isTTY,
    columns: 80,
    write(text: string) {
      written += text;
    },
  };
  const clock = { now: () => now, after: () => () => {} };
  const progress = progressOn(output, terminalOf(output, { NO_COLOR: "1" }), clock)("trials");
  return {
    progress,
    at(time: number, share: number) {
      now = time;
      progress.update(share);
    },
    written: () => written,
  };
}

describe("progress", () => {
  it("draws a bar on a terminal, ten times a second at most, and takes it away at the end", () => {
    const { at, progress, written } = setup({ isTTY: true });
    at(50, 0.1);
    expect(written()).toBe("");
    at(100, 0.5);
    at(150, 0.6);
    expect(written()).toBe("\r\u001b[2Ktrials  #############............. 50 %");
    progress.end();
    expect(written().endsWith("\r\u001b[2K")).toBe(true);
  });

  it("leaves a terminal alone when a run is over soon", () => {
    const { at, progress, written } = setup({ isTTY: true });
    at(99, 0.9);
    progress.end();
    expect(written()).toBe("");
  });

  it("writes a line into a log after two seconds, then every ten", () => {
    const { at, progress, written } = setup({ isTTY: false });
    at(1_999, 0.2);
    at(2_000, 0.21);
    at(11_999, 0.4);
    at(12_000, 0.555);
    progress.end();
    expect(written()).toBe("trials: 21 %\ntrials: 55 %\n");
  });
});
