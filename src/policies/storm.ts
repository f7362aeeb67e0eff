import { requireNumber, withDefaults } from "../domain/options.ts";

export interface StormOptions {
  /** So many different messages failing alike are the handler's problem, not theirs. @default 10 */
  readonly messages?: number;
  /** Within this time, in milliseconds. @default 60_000 */
  readonly windowMs?: number;
}

export const stormDefaults: Required<StormOptions> = { messages: 10, windowMs: 60_000 };

/** Many different messages failing alike in one handler. */
export interface Storm {
  /** What they have in common: a failure's signature, without the payload's shape. */
  readonly failure: string;
  /** Different messages that failed so within the window, at least. */
  readonly messages: number;
  /** When the earliest of them failed. */
  readonly since: number;
}

export interface StormWatch {
  /** Notes that a message failed so. Gives the storm when one begins, and once a window while it goes on. */
  failed(failure: string, messageId: string, now: number): Storm | undefined;
  /** Whether a storm of that failure is going on: then the message is not to blame. */
  isRaging(failure: string, now: number): boolean;
}

/** The latest failure of each of the last messages that failed so, oldest first, and when it was last reported. */
interface Front {
  readonly failedAt: Map<string, number>;
  reportedAt: number;
}

/** Ways of failing that are watched at once. Beyond it the one not seen for longest is forgotten. */
const maxFronts = 256;

export function createStormWatch(options?: StormOptions, where = "storm"): StormWatch {
  const { messages, windowMs } = withDefaults(stormDefaults, options, where);
  requireNumber(`${where}.messages`, messages, { min: 2, max: 10_000, integer: true });
  requireNumber(`${where}.windowMs`, windowMs, { min: 1, max: 3_600_000 });
  const fronts = new Map<string, Front>();

  const stormAt = (failure: string, front: Front | undefined, now: number): Storm | undefined => {
    if (front === undefined || front.failedAt.size < messages) return undefined;
    const since = oldest(front.failedAt);
    return since > now - windowMs ? { failure, messages, since } : undefined;
  };

  return {
    failed(failure, messageId, now) {
      const front = touch(fronts, failure);
      note(front.failedAt, messageId, now, messages);
      const storm = stormAt(failure, front, now);
      if (storm === undefined || front.reportedAt > now - windowMs) return undefined;
      front.reportedAt = now;
      return storm;
    },
    isRaging: (failure, now) => stormAt(failure, fronts.get(failure), now) !== undefined,
  };
}

/** Finds or makes the front and puts it last, so that the first is the one not seen for longest. */
function touch(fronts: Map<string, Front>, failure: string): Front {
  const front = fronts.get(failure) ?? { failedAt: new Map(), reportedAt: Number.NEGATIVE_INFINITY };
  fronts.delete(failure);
  fronts.set(failure, front);
  if (fronts.size > maxFronts) dropFirst(fronts);
  return front;
}

function note(failedAt: Map<string, number>, messageId: string, now: number, most: number): void {
  failedAt.delete(messageId);
  failedAt.set(messageId, now);
  if (failedAt.size > most) dropFirst(failedAt);
}

function dropFirst(map: Map<string, unknown>): void {
  const first = map.keys().next();
  if (!first.done) map.delete(first.value);
}

function oldest(failedAt: ReadonlyMap<string, number>): number {
  const first = failedAt.values().next();
  return first.done ? Number.NEGATIVE_INFINITY : first.value;
}
