/** What troubled something last, which may be over by now. */
export interface LastTrouble {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface Troubled {
  readonly trouble: string | null;
  readonly lastTrouble: LastTrouble | null;
}

/** A status after a change: its last trouble stays when that is over. */
export function changedStatus<Status extends Troubled>(status: Status, change: Partial<Status>, now: number): Status {
  const { trouble } = change;
  const lastTrouble = typeof trouble === "string" ? { text: trouble, at: now } : status.lastTrouble;
  return { ...status, ...change, lastTrouble };
}
