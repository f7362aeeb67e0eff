/** Below this, in milliseconds, only a handler's own time is told: nobody waited for longer than was planned. */
const noticedMs = 1_000;

/** Whether a message waited noticeably longer or shorter than was planned: its consumers were away, or its broker was. */
export function isOffPlan({ waitedMs, waitMs }: { readonly waitedMs: number; readonly waitMs: number }): boolean {
  return Math.abs(waitedMs - waitMs) >= Math.max(noticedMs, waitMs / 10);
}
