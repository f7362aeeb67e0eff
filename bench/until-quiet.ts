import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

const lookMs = 250;
const quietShare = 0.85;

/** Waits until the machine has little else to do, though not for ever: what others do would be measured too. */
export async function untilQuiet(patienceMs = 3_000): Promise<void> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const before = processorTimes();
    await pause(lookMs);
    const after = processorTimes();
    if ((after.idle - before.idle) / (after.all - before.all) >= quietShare) return;
  }
}

function processorTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
  };
}
