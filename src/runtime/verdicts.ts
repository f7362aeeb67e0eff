import { longestWaitMs } from "../domain/handler-errors.ts";
import { type Address, type Delivery, queueName, type Verdict } from "../domain/message.ts";
import { schemaOfMessage } from "../domain/message-schema.ts";
import { queueNames } from "../domain/wire.ts";
import type { RetryBudget } from "../policies/budget.ts";
import { type FailureFacts, readFailure } from "../policies/failure.ts";
import type { JudgePoison } from "../policies/poison.ts";
import { failureSignature, payloadShape } from "../policies/signature.ts";
import type { StormWatch } from "../policies/storm.ts";
import { hostName, processId } from "../system/machine-name.ts";
import type { Attempt } from "./attempt.ts";
import {
  type AttemptLog,
  type AttemptRecord,
  cut,
  isSuspected,
  withPosition,
  withRecord,
  withSuspicion,
  writeAttemptLog,
} from "./attempt-log.ts";
import type { ConsumerSettings } from "./consumer-settings.ts";
import { deadLetter } from "./dead-letter.ts";
import type { Events, RetryCause } from "./events.ts";
import { failureId } from "./failure-id.ts";
import { type DeathSentence, dead, type Judgement, judge } from "./judge.ts";

export interface VerdictParts<Payload, Tx> {
  readonly settings: ConsumerSettings<Payload, Tx>;
  readonly events: Events;
  readonly budget: RetryBudget | undefined;
  readonly judgePoison: JudgePoison;
  readonly storms: StormWatch;
}

/** A failed attempt: what is known of it, and the past it now belongs to. */
interface Failed {
  readonly facts: FailureFacts;
  readonly past: AttemptLog;
  readonly record: AttemptRecord;
}

/** Turns what happened to an attempt into a verdict: what is sent where, under which headers, and who is told. */
export class Verdicts<Payload, Tx> {
  readonly #parts: VerdictParts<Payload, Tx>;
  readonly #queue: string;
  /** Who runs the attempts, short enough for every record of a history. */
  readonly by: string;

  constructor(parts: VerdictParts<Payload, Tx>) {
    this.#parts = parts;
    this.#queue = queueName(parts.settings.source);
    const { service, version, instance } = parts.settings;
    this.by = `${service}${version === "" ? "" : `@${version}`}#${instance}`.slice(0, 80);
  }

  /** Back where it came from, as it came: no handler ran, so it costs nothing. */
  putBack(attempt: Attempt<Payload, Tx>, delayMs: number, because: RetryCause): Verdict {
    const { message, past } = attempt;
    this.#parts.events.emit({ type: "retried", message, attempt: past.attempt, delayMs, because });
    if (!attempt.delivery.redelivered && !isSuspected(past)) return { kind: "retry", delayMs, message };
    // Put back without a word, a suspect would come again as a stranger and kill among others, uncharged, for ever.
    const at = new Date(this.#parts.settings.host.clock.now()).toISOString();
    const marked = withSuspicion(positioned(attempt, past), { n: attempt.attempt, at, by: this.by });
    return {
      kind: "retry",
      delayMs,
      message: { ...message, headers: writeAttemptLog(message.headers, this.#queue, marked) },
    };
  }

  /** The handler failed, or could not be tried. */
  failed(attempt: Attempt<Payload, Tx>, error: unknown, facts: FailureFacts, stopped: boolean): Verdict {
    const now = this.#parts.settings.host.clock.now();
    this.#tellFailure(attempt, error, facts, now);
    const record = this.#record(attempt, facts, now);
    const failed: Failed = { facts, record, past: withRecord(positioned(attempt, attempt.past), record) };
    if (stopped) return this.#retry(attempt, failed, { delayMs: 0, because: "stopping" });
    const judgement = this.#judge(attempt, failed, now);
    if (judgement.kind === "retry") return this.#retry(attempt, failed, judgement);
    if (judgement.kind === "park") return this.#park(attempt, failed);
    return this.dead(attempt, judgement, failed);
  }

  /** Something of our own failed while a verdict was made. The message is kept where people will find it. */
  lastResort(attempt: Attempt<Payload, Tx>, error: unknown): Verdict {
    const facts = readFailure(error, { now: this.#parts.settings.host.clock.now() });
    return this.dead(attempt, dead("unprocessable", "unknown", "no verdict could be reached"), {
      past: attempt.past,
      facts,
    });
  }

  /** To the dead-letter queue, or for poison to quarantine, with all that is known. */
  dead(
    attempt: Attempt<Payload, Tx>,
    sentence: DeathSentence,
    { past, facts }: { past: AttemptLog; facts: FailureFacts | null },
  ): Verdict {
    const { settings, events } = this.#parts;
    const { reason, category, why } = sentence;
    const to = this.#deathAddress(sentence);
    const about = { message: attempt.message, attempt: past.attempt };
    events.emit({ type: "dead-lettered", reason, category, to, ...about });
    if (sentence.quarantine) events.emit({ type: "quarantined", reason, why, ...about });
    const at = new Date(settings.host.clock.now()).toISOString();
    const death = { reason, category, past: positioned(attempt, past), facts, at };
    const message = deadLetter(attempt.message, death, {
      queue: this.#queue,
      consumer: this.#consumerText(),
      idempotencyKey: attempt.key,
      schema: this.#schemaOf(attempt, facts),
      failureId: failureId(attempt.delivery, death.past),
    });
    return { kind: "dead-letter", to, message };
  }

  #judge(attempt: Attempt<Payload, Tx>, { facts, past, record }: Failed, now: number): Judgement {
    const { settings, budget, judgePoison } = this.#parts;
    return judge(
      { facts, past, poison: judgePoison(past.history), handlerFailing: this.#noteStorm(attempt, facts, record, now) },
      {
        maxAttempts: settings.maxAttempts,
        backoff: settings.backoff,
        random: settings.host.random,
        spendRetry: () => budget?.spend(now) ?? true,
      },
    );
  }

  /** Whether many messages fail like this one just now; says so, once, when it begins. */
  #noteStorm(attempt: Attempt<Payload, Tx>, facts: FailureFacts, record: AttemptRecord, now: number): boolean {
    if (facts.kind === "transient" || facts.instruction !== null) return false;
    const { storms, settings, events } = this.#parts;
    const failure = failureSignature({ errorClass: facts.errorClass, queue: this.#queue, handler: settings.name });
    const identity = attempt.key ?? attempt.delivery.position ?? `${record.sig}${attempt.message.body.length}`;
    const storm = storms.failed(failure, identity, now);
    if (storm) {
      const { messages } = storm;
      events.emit({ type: "handler-failing", signature: failure, messages, errorClass: facts.errorClass });
    }
    return storms.isRaging(failure, now);
  }

  #retry(
    attempt: Attempt<Payload, Tx>,
    { past, record }: Failed,
    { delayMs: wantedMs, because }: { delayMs: number; because: RetryCause },
  ): Verdict {
    const { message } = attempt;
    const delayMs = possibleDelay(wantedMs);
    const log = withRecord(past, { ...record, delayMs });
    // The last attempt, cut short by a stop, is made again: it may neither end the message nor be followed by another.
    const charged = Math.min(log.attempt, this.#parts.settings.maxAttempts - 1);
    this.#parts.events.emit({ type: "retried", message, attempt: charged, delayMs, because });
    const headers = writeAttemptLog(message.headers, this.#queue, { ...log, attempt: charged });
    return { kind: "retry", delayMs, message: { ...message, headers } };
  }

  #park(attempt: Attempt<Payload, Tx>, failed: Failed): Verdict {
    const { message } = attempt;
    const { past } = failed;
    // Its key waits for it: people must find it, and only a dead letter keeps the number by which it is replayed or released.
    if (this.#parts.settings.blockedKeys !== undefined && message.key !== null)
      return this.dead(attempt, dead("parked", "unknown", "its handler parked it"), failed);
    const to = { name: queueNames.parked(this.#queue) };
    this.#parts.events.emit({ type: "parked", because: "handler", to, message, attempt: past.attempt });
    return { kind: "park", to, message: { ...message, headers: writeAttemptLog(message.headers, this.#queue, past) } };
  }

  #deathAddress({ quarantine, category }: DeathSentence): Address {
    if (quarantine) return { name: queueNames.quarantine(this.#queue, category) };
    return { name: this.#parts.settings.deadLetterQueue };
  }

  #record(attempt: Attempt<Payload, Tx>, facts: FailureFacts, now: number): AttemptRecord {
    const { kind, errorClass, message, code, status } = facts;
    const { name } = this.#parts.settings;
    const shape = payloadShape(attempt.payload);
    const sig = failureSignature({ errorClass, queue: this.#queue, handler: name, shape });
    const record = {
      n: attempt.attempt,
      at: new Date(now).toISOString(),
      class: errorClass,
      message,
      ...(code !== null && { code: cut(code, codeBytes) }),
      ...(status !== null && { status }),
      kind,
      by: this.by,
      sig,
    };
    if (kind === "transient") return record;
    const before = attempt.past.history.findLast((known) => known.sig === sig && known.same !== undefined);
    return { ...record, same: (before?.same ?? 0) + 1 };
  }

  #tellFailure(attempt: Attempt<Payload, Tx>, error: unknown, facts: FailureFacts, now: number): void {
    const { events } = this.#parts;
    if (!events.heard) return;
    events.emit({
      type: "attempt-failed",
      message: attempt.message,
      attempt: attempt.attempt,
      durationMs: attempt.startedAt === 0 ? 0 : now - attempt.startedAt,
      error,
      kind: facts.kind,
      errorClass: facts.errorClass,
      errorMessage: facts.message,
    });
  }

  /**
   * As its sender says, or as what this handler understands is called. Of its version the message is only where it is the only one
   * and the payload is what that schema says: a message that failed may be of another.
   */
  #schemaOf({ message }: Attempt<Payload, Tx>, facts: FailureFacts | null): string | null {
    const said = schemaOfMessage(message);
    const { handles, schema } = this.#parts.settings;
    const [only, ...others] = handles;
    if (said !== null || only === undefined || others.length > 0) return said;
    const [version, ...versions] = only.versions;
    const isValid = schema !== undefined && facts !== null && facts.kind !== "schema";
    return version !== undefined && versions.length === 0 && isValid ? `${only.name}@${version}` : only.name;
  }

  #consumerText(): string {
    const { service, name, version, instance } = this.#parts.settings;
    const fields = { service, handler: name, version, instance, host: hostName, process: processId };
    const short = Object.entries(fields).map(([field, value]) => [field, cut(value, consumerFieldBytes)]);
    return JSON.stringify(Object.fromEntries(short));
  }
}

/** Of a code in a history; the dead letter has it in full. */
const codeBytes = 40;

/** Six of them, quoted and escaped, stay below the cap of `dlo-consumer`. */
const consumerFieldBytes = 64;

function positioned({ delivery }: { readonly delivery: Delivery }, past: AttemptLog): AttemptLog {
  return withPosition(past, delivery.position);
}

/** A backoff of somebody's own may give anything; a wait no broker can keep would keep the message from ever settling. */
function possibleDelay(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, Math.round(ms)), longestWaitMs);
}
