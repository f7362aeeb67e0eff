/** Processor time of one run, in milliseconds: of this thread alone, whatever else the machine does. */
function cpuMs(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const runs = 5;

/** The least of five runs: what disturbs one only ever adds to it. */
export function leastCpuMs(run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let each = 0; each < runs; each++) least = Math.min(least, cpuMs(run));
  return least;
}
