/**
 * Time as it is given to everything that needs it.
 *
 * Nothing in the library reads the host's clock or sets a timer except through one of these, so that a whole
 * system of consumers can be run in virtual time (see test/simulation).
 */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Runs `run` once, `delayMs` from now, unless the returned function is called first. Cancelling twice is harmless. */
  after(delayMs: number, run: () => void): Cancel;
}

export type Cancel = () => void;

/** A number in [0, 1), as `Math.random` gives it. */
export type Random = () => number;

/** A new identifier, never given before. */
export type NewId = () => string;

/** What a piece of the library needs from the host. All three have defaults where a user meets them. */
export interface Host {
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
}

/** Resolves after `delayMs`, or as soon as `signal` aborts; it never rejects. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = clock.after(delayMs, finish);
    signal?.addEventListener("abort", finish, { once: true });
  });
}

/**
 * What `asking` comes to or, if that takes longer than `limitMs`, what `tooLate` returns or throws. Whatever it comes to
 * after that goes unheard, its rejection too.
 */
export function within<Answer>(
  clock: Clock,
  limitMs: number,
  asking: Promise<Answer>,
  tooLate: () => Answer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limitMs, () => {
      try {
        resolve(tooLate());
      } catch (error) {
        reject(error);
      }
    });
    asking.then(resolve, reject).finally(cancel);
  });
}
