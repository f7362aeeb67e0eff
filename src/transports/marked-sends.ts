import { OfficeError } from "../domain/errors.ts";
import type { Message } from "../domain/message.ts";

/** Which of the replay's sends it is, and which intent of the replay: a later one outdoes an earlier one. */
export interface Mark {
  readonly n: number;
  readonly intent: number;
}

/** Sends that leave a mark in the same step, so that whether one happened is never a guess. */
export interface MarkedSends {
  /** Resolves when it is there: by this call or by an earlier one. Refuses one that somebody looked for and barred. */
  send(queue: string, message: Message, mark: Mark): Promise<void>;
  /** Numbers of those that were sent. The others are barred: not even a sender that wakes up later can send them. */
  findOrBar(marks: readonly Mark[]): Promise<ReadonlySet<number>>;
}

/** What is still in nobody's ledger by then will not be asked for any more. */
export const marksKeptDays = 60;

export function barred({ n }: Mark): OfficeError {
  const text = `Item ${n} is not sent any more: another process has taken the replay over. Nothing has to be done.`;
  return new OfficeError("DELIVERY_LOST", text, { details: { item: n } });
}
