import type { Terminal } from "../terminal/terminal.ts";

const blocks = [..."▁▂▃▄▅▆▇█"];
const plain = [..."_.-=+*#@"];
const bars = 8;

/** Numbers as a row of small bars, several of them to a bar where there are many. */
export function sparkline(numbers: readonly number[], { unicode }: Pick<Terminal, "unicode">): string {
  const size = Math.ceil(numbers.length / bars);
  const sums = Array.from({ length: Math.ceil(numbers.length / size) }, (_, bar) =>
    numbers.slice(bar * size, (bar + 1) * size).reduce((sum, each) => sum + each, 0),
  );
  const most = Math.max(...sums, 1);
  const steps = unicode ? blocks : plain;
  return sums.map((sum) => steps[Math.ceil((sum / most) * (steps.length - 1))]).join("");
}
