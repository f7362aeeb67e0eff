import { pause } from "../domain/clock.ts";
import { systemClock } from "../system/host.ts";

export interface EventuallyOptions {
  /** How long it may take, in milliseconds. @default 30_000 */
  readonly withinMs?: number;
}

/** How soon it looks again: at first, and at the latest. */
const lookAfterMs = { first: 5, last: 100 } as const;
/** Of what it has waited so far: what takes long is not asked for hundreds of times a second. */
const lookAfterShare = 0.1;

/** Resolves once `condition` no longer throws or returns false; rejects as it last threw when the time is over. */
export async function eventually(
  condition: () => unknown,
  { withinMs = 30_000 }: EventuallyOptions = {},
): Promise<void> {
  const begin = systemClock.now();
  for (;;) {
    const complaint = await complaintOf(condition);
    if (complaint === undefined) return;
    const waitedMs = systemClock.now() - begin;
    if (waitedMs >= withinMs) throw complaint;
    await pause(systemClock, Math.min(nextLookMs(waitedMs), withinMs - waitedMs));
  }
}

function nextLookMs(waitedMs: number): number {
  return Math.min(Math.max(lookAfterMs.first, Math.ceil(waitedMs * lookAfterShare)), lookAfterMs.last);
}

async function complaintOf(condition: () => unknown): Promise<Error | undefined> {
  try {
    return (await condition()) === false ? new Error(`It never came true: ${condition}`) : undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
