import type { Clock } from "../../domain/clock.ts";
import type { Output, Terminal } from "./terminal.ts";

/** Shows how far a long run has come. */
export interface Progress {
  /** `share` of the whole, 0 to 1. Cheap enough to be called often. */
  update(share: number): void;
  /** Takes the bar away again; data follows. */
  end(): void;
}

export type StartProgress = (label: string) => Progress;

const redrawMs = 100;
const barWidth = 26;
/** In a log, where a bar cannot be redrawn: until the first line, and between lines. */
const firstLineMs = 2_000;
const lineEveryMs = 10_000;
const clearLine = "\r\u001b[2K";

export const noProgress: StartProgress = () => ({ update() {}, end() {} });

/** A bar where somebody is watching; in a log a line now and then, and none at all for a run that is over soon. */
export function progressOn(output: Output, terminal: Terminal, clock: Clock): StartProgress {
  return (label) => (terminal.interactive ? bar(output, terminal, clock, label) : lines(output, clock, label));
}

function bar(output: Output, terminal: Terminal, clock: Clock, label: string): Progress {
  let drawnAt = clock.now();
  let drawn = false;
  return {
    update(share) {
      if (clock.now() - drawnAt < redrawMs) return;
      drawnAt = clock.now();
      drawn = true;
      output.write(`${clearLine}${label}  ${barOf(share, terminal)} ${Math.floor(share * 100)} %`);
    },
    end() {
      if (drawn) output.write(clearLine);
    },
  };
}

function barOf(share: number, { unicode, paint }: Terminal): string {
  const full = Math.round(share * barWidth);
  const [done, open] = unicode ? ["█", "·"] : ["#", "."];
  return paint("cyan", done.repeat(full)) + paint("dim", open.repeat(barWidth - full));
}

function lines(output: Output, clock: Clock, label: string): Progress {
  let nextAt = clock.now() + firstLineMs;
  return {
    update(share) {
      if (clock.now() < nextAt) return;
      nextAt = clock.now() + lineEveryMs;
      output.write(`${label}: ${Math.floor(share * 100)} %\n`);
    },
    end() {},
  };
}
