/** Work that takes long, cut into steps of a few milliseconds; what it comes to is its last word. */
export type Steps<Result> = Generator<void, Result>;

/** All of it at once. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Between any two steps `pause` lets others have their turn. */
export async function stepByStep<Result>(steps: Steps<Result>, pause: () => Promise<void>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause();
  }
}
