import type { Steps } from "../../simulate/steps.ts";
import { nextTurn } from "../../system/turn.ts";
import type { Context } from "../command.ts";
import { Interrupted } from "../failure.ts";

/** How long a simulation computes before it lets a Ctrl-C in. */
const sliceMs = 50;

/** Runs a simulation to its end without keeping the process deaf: progress is drawn, and Ctrl-C stops it. */
export async function runPaced<Result>(
  steps: Steps<Result>,
  { clock, progress, signal }: Context,
  label: string,
): Promise<Result> {
  const shown = progress(label);
  let restedAt = clock.now();
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (clock.now() - restedAt < sliceMs) continue;
      shown.update(step.value);
      await nextTurn();
      if (signal.aborted) throw new Interrupted();
      restedAt = clock.now();
    }
  } finally {
    shown.end();
  }
}
