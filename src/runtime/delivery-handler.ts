import { isOfficeError } from "../domain/errors.ts";
import { type Delivery, done, type Verdict } from "../domain/message.ts";
import { type BreakerOpen, isBreakerOpen } from "../policies/breaker-open.ts";
import { countsAgainstBreaker, type FailureFacts, readFailure } from "../policies/failure.ts";
import type { JudgePoison } from "../policies/poison.ts";
import { Attempt, type AttemptHost, ConsumerStopped, LeaseLost, NobodyKnows } from "./attempt.ts";
import { diedTrying, isSuspected, readAttemptLog } from "./attempt-log.ts";
import { AttemptRunner, Denied, NoRoomForCharge, Resent, type RunnerParts, type RunOutcome } from "./attempt-runner.ts";
import type { BreakerOutcome } from "./consumer-gate.ts";
import { UndecodablePayload } from "./decode.ts";
import type { LogLevel } from "./events.ts";
import type { InHand } from "./in-hand.ts";
import { type DeathSentence, dead, quarantine } from "./judge.ts";
import { Roster } from "./roster.ts";
import type { Verdicts } from "./verdicts.ts";

/** Charged, begun, and never heard of again. */
class NoResult extends Error {
  override readonly name = "NoResult";
}

export interface HandlerParts<Payload, Tx> extends RunnerParts<Payload, Tx> {
  readonly inHand: InHand;
  readonly verdicts: Verdicts<Payload, Tx>;
  readonly judgePoison: JudgePoison;
}

/** How long a message waits whose duplicate is being processed at this moment, in milliseconds. */
const busyDelayMs = 1_000;
/** How long a message waits at least that a breaker did not let through, in milliseconds. */
const deniedDelayMs = 500;

/** The heart of the runtime: one delivery in, one verdict out. */
export class DeliveryHandler<Payload, Tx> implements AttemptHost<Payload, Tx> {
  readonly #parts: HandlerParts<Payload, Tx>;
  readonly #runner: AttemptRunner<Payload, Tx>;
  readonly #roster = new Roster();

  constructor(parts: HandlerParts<Payload, Tx>) {
    this.#parts = parts;
    this.#runner = new AttemptRunner(parts);
  }

  /** Rejects if nobody can say what became of the delivery: it is then let go, and comes again as a suspect. */
  readonly handle = (delivery: Delivery): Promise<Verdict> => {
    const past = readAttemptLog(delivery.message.headers, this.#parts.queue);
    const attempt = new Attempt<Payload, Tx>(delivery, past, this);
    this.#parts.inHand.add(attempt);
    return this.#inTurn(attempt, delivery.redelivered || isSuspected(past));
  };

  log(attempt: Attempt<Payload, Tx>, level: LogLevel, text: string, fields: Readonly<Record<string, unknown>>): void {
    this.#parts.events.emit({ type: "log", level, text, fields, message: attempt.message, attempt: attempt.attempt });
  }

  late(attempt: Attempt<Payload, Tx>, error?: unknown): void {
    this.#parts.events.emit({ type: "handler-late", error, message: attempt.message, attempt: attempt.attempt });
  }

  /**
   * A suspect came back without a result, so it or something that was in hand with it killed a process. Its attempt is
   * charged for good before its handler runs, and nothing runs beside it: if the process dies again, it was this one.
   */
  async #inTurn(attempt: Attempt<Payload, Tx>, suspect: boolean): Promise<Verdict> {
    const turn = suspect ? this.#roster.beAlone() : this.#roster.join();
    if (turn) await turn;
    attempt.place = suspect ? "alone" : "together";
    try {
      // Given up while it waited for its turn.
      if (attempt.gaveUp) throw attempt.gaveUp;
      const { unreadable } = attempt.delivery;
      if (unreadable) return this.#unprocessable(attempt, unreadable, "its body is gone");
      const sentence = this.#crashSentence(attempt);
      if (sentence && !(await this.#runner.isKnown(attempt))) return this.#crashed(attempt, sentence);
      return this.#ended(attempt, await this.#runner.run(attempt, suspect));
    } catch (error) {
      return this.#failed(attempt, error);
    } finally {
      this.#leave(attempt);
    }
  }

  /** Gives its place away, however the attempt ends. */
  #leave(attempt: Attempt<Payload, Tx>): void {
    this.#parts.inHand.remove(attempt);
    if (attempt.token !== 0) this.#report(attempt, "withdrawn");
    if (attempt.place === "together") this.#roster.leave();
    if (attempt.place === "alone") this.#roster.leaveAlone();
    attempt.place = "none";
  }

  #ended(attempt: Attempt<Payload, Tx>, outcome: RunOutcome): Verdict {
    if (outcome === "succeeded") return this.#succeeded(attempt);
    if (outcome === "duplicate") return this.#duplicate(attempt);
    const { verdicts, settings } = this.#parts;
    return verdicts.putBack(attempt, Math.min(busyDelayMs, settings.leaseMs), "inbox-busy");
  }

  #failed(attempt: Attempt<Payload, Tx>, error: unknown): Verdict {
    try {
      return this.#unsuccessful(attempt, error);
    } catch (reason) {
      if (reason instanceof NobodyKnows) throw reason.cause;
      return this.#parts.verdicts.lastResort(attempt, reason);
    }
  }

  #crashSentence({ delivery, past }: Attempt<Payload, Tx>): DeathSentence | undefined {
    if (!diedTrying(past, delivery.redelivered)) return undefined;
    const verdict = this.#parts.judgePoison(past.history);
    if (verdict.poison) return quarantine(verdict);
    if (past.attempt < this.#parts.settings.maxAttempts) return undefined;
    return quarantine({ reason: "crash_poison", why: "the last attempt it had left ended without a result" });
  }

  #crashed(attempt: Attempt<Payload, Tx>, sentence: DeathSentence): Verdict {
    const { verdicts, settings } = this.#parts;
    const facts = readFailure(new NoResult(`No result: ${sentence.why}.`), { now: settings.host.clock.now() });
    return verdicts.dead(attempt, sentence, { past: attempt.past, facts });
  }

  #succeeded(attempt: Attempt<Payload, Tx>): Verdict {
    const { events, settings } = this.#parts;
    this.#report(attempt, "succeeded");
    if (events.heard) {
      const durationMs = settings.host.clock.now() - attempt.startedAt;
      events.emit({ type: "attempt-succeeded", durationMs, message: attempt.message, attempt: attempt.attempt });
    }
    return done;
  }

  #duplicate(attempt: Attempt<Payload, Tx>): Verdict {
    const { verdicts, settings } = this.#parts;
    if (settings.inbox?.onDuplicate !== "fail") return done;
    const sentence = dead("duplicate", "business_rule", `the key ${attempt.key} was processed before`);
    return verdicts.dead(attempt, sentence, { past: attempt.past, facts: null });
  }

  #unsuccessful(attempt: Attempt<Payload, Tx>, error: unknown): Verdict {
    const { verdicts } = this.#parts;
    const standing = standingOf(error);
    if (standing === "resent") return done;
    if (standing === "let-go") throw error;
    if (standing === "lost") throw new NobodyKnows(error);
    if (standing === "full") return this.#unprocessable(attempt, error, "it is too large to be tried again");
    if (standing === "denied" || this.#isOwnBreaker(error)) return this.#circuitOpen(attempt, error);
    const facts = this.#factsOf(attempt, error, standing);
    if (attempt.begun || standing === "undecodable") {
      if (attempt.begun) this.#report(attempt, breakerOutcome(attempt, facts, standing));
      return verdicts.failed(attempt, error, facts, standing === "stopped");
    }
    // Nothing ran, since the consumer stops or the inbox could not be asked: that is not the message's fault.
    if (standing === "stopped") return verdicts.putBack(attempt, 0, "stopping");
    return this.#unavailable(attempt, error);
  }

  /** Counts against the breaker: else a consumer whose inbox is away would churn through its whole queue. */
  #unavailable(attempt: Attempt<Payload, Tx>, error: unknown): Verdict {
    const { verdicts, settings, events, gate } = this.#parts;
    const { message } = attempt;
    attempt.token = gate.admit();
    if (attempt.token !== 0) this.#report(attempt, "failed");
    const retryInMs = settings.returnDelayMs;
    events.emit({ type: "inbox-unavailable", error, retryInMs, message, attempt: attempt.attempt });
    return verdicts.putBack(attempt, retryInMs, "unavailable");
  }

  /** Only what this consumer waits for may put messages back for nothing; another breaker's refusal is a failure. */
  #isOwnBreaker(error: unknown): error is BreakerOpen {
    const { dependencies } = this.#parts.settings;
    return isBreakerOpen(error) && dependencies.some(({ name }) => name === error.breaker);
  }

  #circuitOpen(attempt: Attempt<Payload, Tx>, error: unknown): Verdict {
    const { verdicts, settings, gate } = this.#parts;
    if (settings.whenOpen === "dead-letter") {
      const sentence = dead("circuit_open", "transient", "the breaker is open");
      return verdicts.dead(attempt, sentence, { past: attempt.past, facts: null });
    }
    const asked = isBreakerOpen(error) ? error.retryAfterMs : 0;
    // Spread out, or all that was in hand comes back in one moment and meets the one probe there is.
    const delayMs = Math.max(deniedDelayMs, asked, gate.retryInMs()) * (1 + settings.host.random() / 4);
    return verdicts.putBack(attempt, Math.round(delayMs), "circuit-open");
  }

  /** Left alone, it would come again for ever, and never run. */
  #unprocessable(attempt: Attempt<Payload, Tx>, error: unknown, why: string): Verdict {
    const { verdicts, settings } = this.#parts;
    const facts = readFailure(error, { now: settings.host.clock.now() });
    return verdicts.dead(attempt, dead("unprocessable", "unknown", why), { past: attempt.past, facts });
  }

  #factsOf(attempt: Attempt<Payload, Tx>, error: unknown, standing: Standing): FailureFacts {
    const { host, classify } = this.#parts.settings;
    const facts = readFailure(error, { now: host.clock.now(), classify });
    if (standing === "undecodable") return { ...facts, kind: "schema", instruction: null };
    if (standing === "stopped") return { ...facts, kind: "transient", why: "the consumer stopped" };
    if (!attempt.performed || facts.kind !== "unknown") return facts;
    return { ...facts, kind: "transient", why: "the handler succeeded, but the inbox could not remember it" };
  }

  #report(attempt: Attempt<Payload, Tx>, outcome: BreakerOutcome): void {
    const { token } = attempt;
    attempt.token = 0;
    this.#parts.gate.report(token, outcome);
  }
}

/** What a thrown value means to the runtime itself. */
type Standing = "failure" | "undecodable" | "stopped" | "denied" | "resent" | "full" | "lost" | "let-go";

/** Never throws: a handler may have thrown a proxy whose every answer is another throw. */
function standingOf(error: unknown): Standing {
  try {
    if (error instanceof UndecodablePayload) return "undecodable";
    if (error instanceof ConsumerStopped) return "stopped";
    if (error instanceof Denied) return "denied";
    if (error instanceof Resent) return "resent";
    if (error instanceof NoRoomForCharge) return "full";
    if (error instanceof NobodyKnows) return "let-go";
    return error instanceof LeaseLost || isOfficeError(error, "DELIVERY_LOST") ? "lost" : "failure";
  } catch {
    return "failure";
  }
}

const bugs = ["TypeError", "ReferenceError", "RangeError", "SyntaxError"];

/**
 * Only what speaks against a dependency counts: not a message that is wrong in itself, not a bug it ran into, not what
 * the handler asked for, and the same failure of the same message only once. Else a few bad messages, retried, would
 * pause the consumer again and again and hold up all the good ones.
 */
function breakerOutcome<Payload, Tx>(
  { past }: Attempt<Payload, Tx>,
  { kind, instruction, errorClass }: FailureFacts,
  standing: Standing,
): BreakerOutcome {
  if (standing === "stopped" || instruction !== null || !countsAgainstBreaker(kind)) return "withdrawn";
  const known = bugs.includes(errorClass) || past.history.some((record) => record.class === errorClass);
  return kind === "unknown" && known ? "withdrawn" : "failed";
}
