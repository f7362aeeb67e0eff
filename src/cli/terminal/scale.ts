/** Places values along an axis: 0 at its low end, 1 at its high end. */
export interface Scale {
  readonly place: (value: number) => number;
  /** Round values to label, low to high. */
  readonly ticks: readonly number[];
}

/** From `low` to `high`, both widened to the next tick when `widen` says so. */
export function linearScale(low: number, high: number, wantedTicks: number, { widen = false } = {}): Scale {
  const step = roundStep((high - low) / Math.max(1, wantedTicks - 1));
  const from = widen ? Math.floor(low / step) * step : low;
  const to = widen ? Math.ceil(high / step) * step : high;
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  const ticks = Array.from({ length: count }, (_, index) => (first + index) * step);
  return { place: (value) => (to === from ? 0 : (value - from) / (to - from)), ticks };
}

/** For values above 0 that differ by factors: from the round value below `low` to the one above `high`. */
export function logScale(low: number, high: number): Scale {
  const from = roundsBelow(low);
  const to = Math.max(roundStep(high), from * 10);
  const length = Math.log(to / from);
  return { place: (value) => Math.log(value / from) / length, ticks: powersOfTen(from, to) };
}

function roundsBelow(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return ([5, 2].find((factor) => factor * magnitude <= value) ?? 1) * magnitude;
}

function powersOfTen(from: number, to: number): number[] {
  const ticks: number[] = [];
  for (let tick = 10 ** Math.ceil(Math.log10(from) - 1e-9); tick <= to; tick *= 10) ticks.push(tick);
  return ticks;
}

/** The next of 1, 2, 5, 10, 20, 25, 50, 100 ... that is not smaller. */
export function roundStep(step: number): number {
  if (!(step > 0)) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(step));
  const factors = magnitude >= 10 ? [1, 2, 2.5, 5] : [1, 2, 5];
  // A step like 0.2 that came out of a division may lie a hair above 0.2.
  const factor = factors.find((candidate) => candidate * magnitude >= step * (1 - 1e-9)) ?? 10;
  return factor * magnitude;
}
