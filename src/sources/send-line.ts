import type { ReplayVia } from "../domain/dead-letter.ts";
import type { Message } from "../domain/message.ts";
import type { MarkedSends } from "../transports/marked-sends.ts";

/** By which a send is told from all others: the item's number in its replay, and which intent of the replay it was. */
export interface IntendedSend {
  readonly n: number;
  readonly intent: number;
  /** By which exchange and key it goes to its queue; null: straight. @default null */
  readonly via?: ReplayVia | null;
  /** Whether it returns to the dead letters it was among, with all that its broker had noted on it. @default false */
  readonly back?: boolean;
  /** Where its letter was found last, where the broker has a name for that. @default null */
  readonly position?: string | null;
  /** What `note` had given before it was intended. @default null */
  readonly note?: string | null;
}

/** A send that nobody heard the end of. */
export interface LostSend extends IntendedSend {
  readonly queue: string;
  readonly note: string | null;
}

/** Whether a consumer of our making was heard of on a queue. */
export type IsOurs = (queue: string) => Promise<boolean>;

/** `unsent`: it did not happen, and never will. */
export type SendFinding = "sent" | "unsent";

/**
 * The sends of one replay to one source, made so that what became of them can be found out afterwards, by whoever leads the
 * replay then, as far as their broker allows.
 */
export interface SendLine {
  /** Whether windows may be sent side by side: not where `commit` would make final what another has only begun. */
  readonly sideBySide: boolean;
  /** What has to be durable along with the intent to send to this queue; null: nothing. */
  note(queue: string): Promise<string | null>;
  /**
   * Resolves when the broker has it, pending `commit`. A refusal (`isFinal`) says that it has not; any other failure says
   * nothing at all.
   */
  send(queue: string, message: Message, intended: IntendedSend): Promise<void>;
  /** Makes final what was sent since the last time. If it rejects, what became of all of that is unknown. */
  commit(): Promise<void>;
  /**
   * Looks for sends, and sees to it that those it does not find cannot happen any more. Of those that are missing in its
   * answer nobody can tell.
   */
  findOut(lost: readonly LostSend[]): Promise<ReadonlyMap<number, SendFinding>>;
}

/** Where nothing at the broker tells of a send that was not confirmed. */
export function plainLine(send: SendLine["send"]): SendLine {
  return {
    sideBySide: true,
    note: async () => null,
    send,
    commit: async () => {},
    findOut: async () => new Map(),
  };
}

/** The mark is one step with the send: there is nothing to note before, and nothing to commit afterwards. */
export function markedLine({ send, findOrBar }: MarkedSends): SendLine {
  return {
    sideBySide: true,
    note: async () => null,
    send,
    commit: async () => {},
    async findOut(lost) {
      const sent = await findOrBar(lost);
      return new Map(lost.map(({ n }) => [n, sent.has(n) ? "sent" : "unsent"]));
    },
  };
}
