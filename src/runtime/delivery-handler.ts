import { isOfficeError } from "../domain/errors.ts";
import { type Delivery, done, headerText, type Message, type Verdict } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import { isBreakerOpen } from "../policies/breaker-open.ts";
import type { RetryBudget } from "../policies/budget.ts";
import { countsAgainstBreaker, type FailureFacts, readFailure } from "../policies/failure.ts";
import type { JudgePoison } from "../policies/poison.ts";
import { Attempt, type AttemptHost, ConsumerStopped, type Handler, LeaseLost } from "./attempt.ts";
import { isSuspected, readAttemptLog, unfinishedAttempt, withRecord, writeAttemptLog } from "./attempt-log.ts";
import type { BreakerOutcome, ConsumerGate } from "./consumer-gate.ts";
import type { ConsumerSettings, InboxSettings } from "./consumer-settings.ts";
import { type Decoder, payloadDecoder, UndecodablePayload } from "./decode.ts";
import type { Events, LogLevel } from "./events.ts";
import type { InHand } from "./in-hand.ts";
import { type DeathSentence, dead, quarantine } from "./judge.ts";
import { Roster } from "./roster.ts";
import type { Verdicts } from "./verdicts.ts";

/** The breaker said no: the handler was not run, and the message is none the worse. */
class Denied extends Error {
  override readonly name = "Denied";
}

/** Charged, begun, and never heard of again. */
class NoResult extends Error {
  override readonly name = "NoResult";
}

/** The broker could not charge it in place and has sent it again: this delivery is over. */
class Resent extends Error {
  override readonly name = "Resent";
}

export interface HandlerParts<Payload, Tx> {
  readonly settings: ConsumerSettings<Payload, Tx>;
  readonly queue: string;
  readonly events: Events;
  readonly inHand: InHand;
  readonly gate: ConsumerGate;
  readonly verdicts: Verdicts<Payload, Tx>;
  readonly budget: RetryBudget | undefined;
  readonly judgePoison: JudgePoison;
}

/** How long a message waits whose duplicate is being processed at this moment, in milliseconds. */
const busyDelayMs = 1_000;
/** How long a message waits at least that a breaker did not let through, in milliseconds. */
const deniedDelayMs = 500;

/** The heart of the runtime: one delivery in, one verdict out. */
export class DeliveryHandler<Payload, Tx> implements AttemptHost<Payload, Tx> {
  readonly #parts: HandlerParts<Payload, Tx>;
  readonly #decode: Decoder<Payload>;
  readonly #roster = new Roster();

  constructor(parts: HandlerParts<Payload, Tx>) {
    this.#parts = parts;
    this.#decode = payloadDecoder(parts.settings.decode, parts.settings.schema);
  }

  readonly handle = async (delivery: Delivery): Promise<Verdict> => {
    const { inHand, queue } = this.#parts;
    const past = readAttemptLog(delivery.message.headers, queue);
    const attempt = new Attempt<Payload, Tx>(delivery, past, this);
    inHand.add(attempt);
    try {
      if (delivery.redelivered || isSuspected(past)) return await this.#alone(attempt);
      const turn = this.#roster.join();
      if (turn) await turn;
      try {
        return await this.#attempt(attempt, false);
      } finally {
        this.#roster.leave();
      }
    } finally {
      inHand.remove(attempt);
    }
  };

  log(attempt: Attempt<Payload, Tx>, level: LogLevel, text: string, fields: Readonly<Record<string, unknown>>): void {
    this.#parts.events.emit({ type: "log", level, text, fields, message: attempt.message, attempt: attempt.attempt });
  }

  late(attempt: Attempt<Payload, Tx>, error?: unknown): void {
    this.#parts.events.emit({ type: "handler-late", error, message: attempt.message, attempt: attempt.attempt });
  }

  /**
   * A suspect: it came back without a result, so it or something that was in hand with it killed a process. Its attempt is
   * charged for good before its handler runs, and nothing runs beside it: if the process dies again, it was this one.
   */
  async #alone(attempt: Attempt<Payload, Tx>): Promise<Verdict> {
    await this.#roster.beAlone();
    try {
      const sentence = this.#crashSentence(attempt);
      if (sentence) return this.#parts.verdicts.dead(attempt, sentence, this.#crashed(attempt, sentence));
      return await this.#attempt(attempt, true);
    } finally {
      this.#roster.leaveAlone();
    }
  }

  #crashSentence({ delivery, past }: Attempt<Payload, Tx>): DeathSentence | undefined {
    if (!delivery.redelivered || !unfinishedAttempt(past)) return undefined;
    const verdict = this.#parts.judgePoison(past.history);
    if (verdict.poison) return quarantine(verdict);
    if (past.attempt < this.#parts.settings.maxAttempts) return undefined;
    return quarantine({ reason: "crash_poison", why: "the last attempt it had left ended without a result" });
  }

  #crashed({ past }: Attempt<Payload, Tx>, { why }: DeathSentence): { past: typeof past; facts: FailureFacts } {
    const now = this.#parts.settings.host.clock.now();
    return { past, facts: readFailure(new NoResult(`No result: ${why}.`), { now }) };
  }

  async #charge(attempt: Attempt<Payload, Tx>): Promise<void> {
    const { settings, verdicts, queue } = this.#parts;
    const at = new Date(settings.host.clock.now()).toISOString();
    const past = withRecord(attempt.past, { n: attempt.attempt, at, started: true, by: verdicts.by });
    const outcome = await attempt.delivery.charge(writeAttemptLog(attempt.message.headers, queue, past));
    if (outcome === "resent") throw new Resent();
    attempt.past = past;
  }

  async #attempt(attempt: Attempt<Payload, Tx>, suspect: boolean): Promise<Verdict> {
    const { settings } = this.#parts;
    try {
      const payload = this.#decode(attempt.message);
      attempt.payload = payload instanceof Promise ? await payload : payload;
    } catch (error) {
      return this.#undecodable(attempt, error);
    }
    try {
      const key = settings.inbox && settings.idempotencyKey(attempt.message);
      if (settings.inbox && key !== undefined) return await this.#once(attempt, settings.inbox, key, suspect);
      await this.#perform(attempt, settings.handler, suspect);
      return this.#succeeded(attempt);
    } catch (error) {
      return this.#unsuccessful(attempt, error);
    }
  }

  /** Replays spend from the retry budget like retries do: a mass replay is load of the same sort. */
  #noteRequest(message: Message): void {
    const { budget, settings } = this.#parts;
    if (budget === undefined) return;
    const now = settings.host.clock.now();
    budget.request(now);
    if (message.headers.length > 0 && headerText(message.headers, wire.replay) !== undefined) budget.spend(now);
  }

  async #once(
    attempt: Attempt<Payload, Tx>,
    inbox: InboxSettings<Payload, Tx>,
    key: string,
    suspect: boolean,
  ): Promise<Verdict> {
    const { settings, verdicts, queue } = this.#parts;
    const entry = { scope: `${queue}/${settings.name}`, key, windowMs: inbox.windowMs, leaseMs: settings.leaseMs };
    // Charged as late as can be, unless asking the broker would then wait for this very turn.
    if (suspect && inbox.store.serial && !attempt.charged) await this.#charge(attempt);
    const outcome = await inbox.store.once(entry, async (turn) => {
      attempt.tx = turn.tx;
      attempt.keepTurn = (ms) => turn.extend(ms);
      try {
        await this.#perform(attempt, settings.handler, suspect);
      } catch (error) {
        // The handler may still be running, with the transaction in its hands.
        if (attempt.gaveUp) turn.abandon();
        throw error;
      } finally {
        attempt.keepTurn = undefined;
      }
    });
    if (outcome === "ran") return this.#succeeded(attempt);
    if (outcome === "busy") return verdicts.putBack(attempt, Math.min(busyDelayMs, settings.leaseMs), "inbox-busy");
    return await this.#duplicate(attempt, inbox, key, suspect);
  }

  async #duplicate(
    attempt: Attempt<Payload, Tx>,
    { onDuplicate, store }: InboxSettings<Payload, Tx>,
    key: string,
    suspect: boolean,
  ): Promise<Verdict> {
    const { events, verdicts } = this.#parts;
    const treatment = typeof onDuplicate === "string" ? onDuplicate : "merge";
    events.emit({ type: "duplicate", key, treatment, message: attempt.message, attempt: attempt.attempt });
    if (treatment === "fail") {
      const sentence = dead("duplicate", "business_rule", `the key ${key} was processed before`);
      return verdicts.dead(attempt, sentence, { past: attempt.past, facts: null });
    }
    if (typeof onDuplicate === "string") return done;
    await store.without(async (tx) => {
      attempt.tx = tx;
      await this.#perform(attempt, onDuplicate.merge, suspect);
    });
    return this.#succeeded(attempt);
  }

  /** Runs the handler if the breaker lets it. Not `async`: every layer of that would cost each message. */
  #perform(attempt: Attempt<Payload, Tx>, handler: Handler<Payload, Tx>, suspect: boolean): Promise<void> {
    const { gate } = this.#parts;
    if (attempt.gaveUp) return Promise.reject(attempt.gaveUp);
    attempt.token = gate.admit();
    if (attempt.token === 0) return Promise.reject(new Denied());
    // Charged last of all: whatever else keeps the handler from running must not cost an attempt.
    if (suspect && !attempt.charged) return this.#charge(attempt).then(() => this.#run(attempt, handler, suspect));
    return this.#run(attempt, handler, suspect);
  }

  #run(attempt: Attempt<Payload, Tx>, handler: Handler<Payload, Tx>, suspect: boolean): Promise<void> {
    const { events, settings } = this.#parts;
    if (attempt.gaveUp) return Promise.reject(attempt.gaveUp);
    if (attempt.attempt === 1) this.#noteRequest(attempt.message);
    if (!events.heard) return attempt.run(handler);
    attempt.startedAt = settings.host.clock.now();
    events.emit({ type: "attempt-started", suspect, message: attempt.message, attempt: attempt.attempt });
    return events.around(attempt, () => attempt.run(handler));
  }

  #succeeded(attempt: Attempt<Payload, Tx>): Verdict {
    const { gate, events, settings } = this.#parts;
    gate.report(attempt.token, "succeeded");
    if (events.heard) {
      const durationMs = settings.host.clock.now() - attempt.startedAt;
      events.emit({ type: "attempt-succeeded", durationMs, message: attempt.message, attempt: attempt.attempt });
    }
    return done;
  }

  /** No handler has seen it, and none will: the same bytes give the same answer. */
  #undecodable(attempt: Attempt<Payload, Tx>, error: unknown): Verdict {
    const facts = this.#factsOf(attempt, error);
    const known = error instanceof UndecodablePayload;
    return this.#parts.verdicts.failed(attempt, error, known ? { ...facts, kind: "schema" } : facts);
  }

  #unsuccessful(attempt: Attempt<Payload, Tx>, error: unknown): Verdict {
    const { verdicts, settings, gate } = this.#parts;
    if (isOver(error)) {
      gate.report(attempt.token, "withdrawn");
      if (error instanceof Resent) return done;
      throw error;
    }
    if (error instanceof Denied || isBreakerOpen(error)) return this.#circuitOpen(attempt);
    const facts = this.#factsOf(attempt, error);
    const { begun } = attempt;
    // Nothing ran, since the inbox could not be asked or the consumer stops: that is not the message's fault.
    if (!begun && error instanceof ConsumerStopped) return verdicts.putBack(attempt, 0, "stopping");
    if (!begun && facts.kind === "transient") return verdicts.putBack(attempt, settings.returnDelayMs, "unavailable");
    if (begun) gate.report(attempt.token, breakerOutcome(error, facts));
    return verdicts.failed(attempt, error, facts);
  }

  #circuitOpen(attempt: Attempt<Payload, Tx>): Verdict {
    const { verdicts, settings, gate } = this.#parts;
    // A dependency's breaker may have stopped a handler that was running under our own.
    if (attempt.token !== 0) gate.report(attempt.token, "withdrawn");
    if (settings.whenOpen === "dead-letter") {
      const sentence = dead("circuit_open", "transient", "the breaker is open");
      return verdicts.dead(attempt, sentence, { past: attempt.past, facts: null });
    }
    // Spread out, or all that was in hand comes back in one moment and meets the one probe there is.
    const delayMs = Math.max(deniedDelayMs, gate.retryInMs()) * (1 + settings.host.random() / 4);
    return verdicts.putBack(attempt, Math.round(delayMs), "circuit-open");
  }

  #factsOf(attempt: Attempt<Payload, Tx>, error: unknown): FailureFacts {
    const { host, classify } = this.#parts.settings;
    const facts = readFailure(error, { now: host.clock.now(), classify });
    if (error instanceof ConsumerStopped) return { ...facts, kind: "transient", why: "the consumer stopped" };
    if (!attempt.performed) return facts;
    return { ...facts, kind: "transient", why: "the handler succeeded, but the inbox could not remember it" };
  }
}

/** Nothing that is said about this delivery counts any more. */
function isOver(error: unknown): boolean {
  return error instanceof Resent || error instanceof LeaseLost || isOfficeError(error, "DELIVERY_LOST");
}

/** Only what speaks against a dependency counts: not a message that is wrong in itself, nor what the handler asked for. */
function breakerOutcome(error: unknown, { kind, instruction }: FailureFacts): BreakerOutcome {
  if (error instanceof ConsumerStopped || instruction !== null) return "withdrawn";
  return countsAgainstBreaker(kind) ? "failed" : "withdrawn";
}
