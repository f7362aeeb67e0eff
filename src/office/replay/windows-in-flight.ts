/** What became of a window of letters. */
export interface SentWindow {
  /** How many the broker may have now. */
  readonly sent: number;
  /** Of how many of those that is not known. */
  readonly inDoubt: number;
  /** How many did not go and have their turn again: what comes behind them waits for it. */
  readonly again: number;
}

/** A window that is being sent. */
interface Flying {
  /** Ordering keys of its letters. */
  readonly keys: ReadonlySet<string>;
  readonly landed: Promise<void>;
}

/** Windows that are sent side by side: the next is made ready while others wait for their broker. */
export interface WindowsInFlight {
  /** Waits until fewer than so many are under way. */
  room(atOnce: number): Promise<void>;
  /** Ordering keys of the letters that are under way at this moment. */
  keys(): ReadonlySet<string>;
  add(keys: ReadonlySet<string>, window: Promise<SentWindow>): void;
  /** False once something went other than well: then nothing is sent on top of it. */
  isSound(): boolean;
  /** Waits for all of them; rejects with what the first failure was. */
  landed(): Promise<void>;
}

export function windowsInFlight(): WindowsInFlight {
  const flying = new Set<Flying>();
  const failures: unknown[] = [];
  let isSound = true;
  const room = async (atOnce: number) => {
    while (flying.size >= atOnce) await Promise.race([...flying].map(({ landed }) => landed));
  };
  return {
    room,
    keys: () => new Set([...flying].flatMap(({ keys }) => [...keys])),
    add(keys, window) {
      const landed = window
        .then(({ sent, inDoubt, again }) => {
          isSound &&= sent > 0 && inDoubt === 0 && again === 0;
        })
        .catch((error: unknown) => {
          isSound = false;
          failures.push(error);
        })
        .finally(() => flying.delete(own));
      const own: Flying = { keys, landed };
      flying.add(own);
    },
    isSound: () => isSound,
    async landed() {
      await room(1);
      if (failures.length > 0) throw failures[0];
    },
  };
}
