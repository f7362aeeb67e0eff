/** The answer, unless `signal` aborts first. Whatever nobody waits for any more may still happen. */
export function unlessAborted<Answer>(asking: Promise<Answer>, signal: AbortSignal, reason: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(reason));
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    asking.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}
