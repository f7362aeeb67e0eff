import type { Clock } from "../../domain/clock.ts";

/** How long a message is ours. The server takes an old hand-over's word for that of the new: we keep the time ourselves. */
export interface Lease {
  /** Until when it was asked for. */
  until: number;
  /** Until when the server keeps it for us, as far as we know. */
  serverUntil: number;
}

/** Whether nobody else can have it yet. */
export function isHeld({ until, serverUntil }: Lease, clock: Clock): boolean {
  return clock.now() < Math.min(until, serverUntil);
}
