import type { Sample } from "./suite.ts";

/** Runs from now on. What it returns stops it: how many messages a second, and what each took of this process. */
export function stopwatch(): (messages: number) => Sample {
  const beganAt = performance.now();
  const before = process.cpuUsage();
  return (messages) => {
    const tookMs = performance.now() - beganAt;
    const { user, system } = process.cpuUsage(before);
    return { value: messages / (tookMs / 1_000), cpuMicros: (user + system) / messages };
  };
}
