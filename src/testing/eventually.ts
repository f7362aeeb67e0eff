import { pause } from "../domain/clock.ts";
import { systemClock } from "../system/host.ts";

export interface EventuallyOptions {
  /** How long it may take, in milliseconds. @default 10_000 */
  readonly withinMs?: number;
}

const lookEveryMs = 5;

/** Resolves once `condition` no longer throws or returns false; rejects as it last threw when the time is over. */
export async function eventually(
  condition: () => unknown,
  { withinMs = 10_000 }: EventuallyOptions = {},
): Promise<void> {
  const end = systemClock.now() + withinMs;
  for (;;) {
    const complaint = await complaintOf(condition);
    if (complaint === undefined) return;
    if (systemClock.now() >= end) throw complaint;
    await pause(systemClock, lookEveryMs);
  }
}

async function complaintOf(condition: () => unknown): Promise<Error | undefined> {
  try {
    return (await condition()) === false ? new Error(`It never came true: ${condition}`) : undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
