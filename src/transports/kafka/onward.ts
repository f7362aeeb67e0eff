import { type Host, pause } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import type { Address, Message, Verdict } from "../../domain/message.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import type { Incident } from "../transport.ts";
import type { Position } from "./driver.ts";
import { type Entry, entryId } from "./partition-work.ts";
import { decodeRecord, encodeRecord } from "./record-codec.ts";
import type { Wait } from "./retry-waits.ts";
import type { Sender } from "./sender.ts";

export type OnwardVerdict = Exclude<Verdict, { kind: "done" }>;

export interface OnwardParts {
  readonly host: Host;
  readonly from: Address;
  readonly sender: Sender;
  readonly returnDelayMs: number;
  readonly report: (incident: Incident) => void;
  /** When the consumer was told to stop, by our own clock; infinite until then. */
  readonly stoppedAt: () => number;
}

/** What became of a message: sent on, to be handed over again after a while, or given up since the broker is away. */
export type Sent = "sent" | "return" | "given-up";

/** How long a consumer that was told to stop waits for a broker that gives no answer, in milliseconds. */
const lastWordsMs = 5_000;

/** Sends messages to where verdicts want them. Nothing is finished before the broker has what comes in its place. */
export class Onward {
  readonly #parts: OnwardParts;

  constructor(parts: OnwardParts) {
    this.#parts = parts;
  }

  async carryOut(entry: Entry, verdict: OnwardVerdict): Promise<Sent> {
    const { host, report, stoppedAt } = this.#parts;
    for (let tried = 1; ; tried++) {
      try {
        await this.#send(entry, verdict);
        return "sent";
      } catch (error) {
        if (verdict.kind !== "retry" || !isOfficeError(error, "TRANSPORT_UNAVAILABLE")) {
          return this.#refused(entry, error);
        }
        if (host.clock.now() - stoppedAt() > lastWordsMs) return "given-up";
        const retryInMs = repeatDelayMs(tried, host.random);
        report({ kind: "settle-failed", error, message: decodeRecord(entry.record), retryInMs });
        await pause(host.clock, retryInMs);
      }
      // It may have gone to somebody else in the meantime.
      if (entry.state !== "running") return "given-up";
    }
  }

  /** Puts a message where its group reads it again after `delayMs`; the later ones of its key wait for it. */
  async delay(entry: Entry, message: Message, delayMs: number): Promise<void> {
    const { sender, from } = this.#parts;
    block(entry, await sender.delay(from, entry.work.partition, encodeRecord(message), delayMs));
  }

  /** One wait of its delay is over: it goes to the next. */
  async delayOn(entry: Entry, rest: Pick<Wait, "restMs" | "slackMs">): Promise<Sent> {
    const { sender, from, report, returnDelayMs } = this.#parts;
    try {
      block(entry, await sender.delayOn(from, entry.work.partition, entry.record, rest));
      return "sent";
    } catch (error) {
      report({ kind: "settle-failed", error, retryInMs: returnDelayMs });
      return "return";
    }
  }

  async #send(entry: Entry, verdict: OnwardVerdict): Promise<void> {
    if (verdict.kind === "retry") await this.delay(entry, verdict.message, verdict.delayMs);
    else await this.#parts.sender.send(verdict.to, verdict.message, 0);
  }

  /** To finish it now could lose it; to come back at once would hammer a topic that has just refused. */
  #refused(entry: Entry, error: unknown): Sent {
    const { report, returnDelayMs } = this.#parts;
    report({ kind: "onward-failed", error, message: decodeRecord(entry.record), retryInMs: returnDelayMs });
    return "return";
  }
}

/** The later messages of its key wait for the copy. Where that lies is unknown only if the broker no longer knows. */
function block({ work, lane }: Entry, copy: Position): void {
  if (copy.offset >= 0) work.keys?.block(lane, entryId(copy, copy.offset));
}
