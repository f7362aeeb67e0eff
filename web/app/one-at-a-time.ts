/**
 * Asks once, however often it is told to while it waits, and then once more. Cutting off the answer that is on its way would leave
 * a page without any while things change faster than a busy office answers.
 */
export function oneAtATime(run: () => Promise<void>): () => void {
  let isBusy = false;
  let isWanted = false;
  const ask = () => {
    isWanted = isBusy;
    if (isBusy) return;
    isBusy = true;
    void run().finally(() => {
      isBusy = false;
      if (isWanted) ask();
    });
  };
  return ask;
}
