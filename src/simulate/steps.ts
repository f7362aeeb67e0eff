/** A simulation that gives the share done after each step, so that whoever runs it can show that, or stop. */
export type Steps<Result> = Generator<number, Result>;

/** One simulation after the other, as one: its progress is that of the whole. */
export function* inTurn<Result>(simulations: readonly Steps<Result>[]): Steps<Result[]> {
  const results: Result[] = [];
  for (const simulation of simulations) {
    let step = simulation.next();
    for (; !step.done; step = simulation.next()) yield (results.length + step.value) / simulations.length;
    results.push(step.value);
  }
  return results;
}

/** For whoever has nobody to show progress to. */
export function runToEnd<Result>(simulation: Steps<Result>): Result {
  let step = simulation.next();
  while (!step.done) step = simulation.next();
  return step.value;
}
