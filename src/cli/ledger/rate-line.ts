import type { Context } from "../command.ts";
import { showNumber } from "../terminal/units.ts";

const redrawMs = 200;
const lineEveryMs = 10_000;

/** Says on stderr how many so far and how fast: redrawn where somebody watches, a line now and then in a log. */
export function rateLine({ clock, note, terminal }: Context, what: string): (n: number) => void {
  const startedAt = clock.now();
  const everyMs = terminal.interactive ? redrawMs : lineEveryMs;
  let saidAt = startedAt;
  return (n) => {
    const now = clock.now();
    if (now - saidAt < everyMs) return;
    saidAt = now;
    note(`${showNumber(n)} ${what}, ${showNumber((n / Math.max(1, now - startedAt)) * 1_000)} a second`);
  };
}
