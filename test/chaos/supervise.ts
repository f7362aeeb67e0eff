import type { ConsumerProcess, Ending } from "./consumer-process.ts";

export interface Supervisor {
  /** Stops the process, and tells how those before it ended. */
  stop(): Promise<readonly Ending[]>;
}

/** Starts a process again whenever it has ended. */
export function supervise(start: () => ConsumerProcess): Supervisor {
  const endings: Ending[] = [];
  let stopping = false;
  let current = start();
  const watch = async (): Promise<void> => {
    const ending = await current.ended;
    if (stopping) return;
    endings.push(ending);
    current = start();
    await watch();
  };
  const watching = watch();
  return {
    async stop() {
      stopping = true;
      await current.stop();
      await watching;
      return endings;
    },
  };
}
