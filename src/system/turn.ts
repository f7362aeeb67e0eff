/** Resolves in the next turn of the event loop: everything that was only waiting for promises has run by then. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
