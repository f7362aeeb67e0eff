import { isOfficeError, OfficeError } from "../domain/errors.ts";
import { headerText, type Message } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import type { RetryBudget } from "../policies/budget.ts";
import { poisonDefaults } from "../policies/poison.ts";
import type { InboxEntry } from "../stores/inbox.ts";
import type { Attempt, Handler } from "./attempt.ts";
import { withPosition, withRecord, writeAttemptLog } from "./attempt-log.ts";
import type { ConsumerGate } from "./consumer-gate.ts";
import type { ConsumerSettings, InboxSettings } from "./consumer-settings.ts";
import { type Decoder, payloadDecoder, UndecodablePayload } from "./decode.ts";
import type { Events } from "./events.ts";

/** The breaker said no: the handler was not run, and the message is none the worse. */
export class Denied extends Error {
  override readonly name = "Denied";
}

/** The broker could not charge it in place and has sent it again: this delivery is over. */
export class Resent extends Error {
  override readonly name = "Resent";
}

/** It has no room for what an attempt is charged with, and never will have: it can not be tried again. */
export class NoRoomForCharge extends Error {
  override readonly name = "NoRoomForCharge";
}

/** Without a charge that is known to be durable the handler must not run; the message comes again. */
function notCharged(cause: unknown): never {
  if (isOfficeError(cause, "MESSAGE_TOO_LARGE")) {
    throw new NoRoomForCharge("It came back without a result, and has no room to say so when it is tried again.", {
      cause,
    });
  }
  throw new OfficeError("DELIVERY_LOST", "The attempt could not be charged, so it was not made.", { cause });
}

/** How an attempt ended that did not fail. */
export type RunOutcome = "succeeded" | "busy" | "duplicate";

export interface RunnerParts<Payload, Tx> {
  readonly settings: ConsumerSettings<Payload, Tx>;
  readonly queue: string;
  readonly events: Events;
  readonly gate: ConsumerGate;
  readonly budget: RetryBudget | undefined;
  /** Who runs the attempts, as histories name it. */
  readonly by: string;
}

/** Everything between a delivery's turn and its handler: decoding, the breaker, the charge of suspects, the inbox. */
export class AttemptRunner<Payload, Tx> {
  readonly #parts: RunnerParts<Payload, Tx>;
  readonly #decode: Decoder<Payload>;

  constructor(parts: RunnerParts<Payload, Tx>) {
    this.#parts = parts;
    this.#decode = payloadDecoder(parts.settings.decode, parts.settings.schema);
  }

  /** Rejects with whatever went wrong; `attempt.begun` says whether that was the handler's. */
  run(attempt: Attempt<Payload, Tx>, suspect: boolean): Promise<RunOutcome> {
    const { settings, events } = this.#parts;
    const payload = this.#decode(attempt.message);
    const waits = payload instanceof Promise || suspect || settings.inbox !== undefined || events.surrounds;
    // A handler is given up in time. Else a schema, a connection or a tracer may hang, and must not keep its place for ever.
    if (waits) return attempt.orLetGo(this.#prepare(attempt, payload, suspect));
    this.#identify(attempt, payload);
    return this.#perform(attempt, settings.handler, suspect);
  }

  /**
   * Whether the inbox knows that it succeeded: its process died after the commit and before the acknowledgement. Not asked
   * where duplicates are merged: there the merge may be what kills.
   */
  async isKnown(attempt: Attempt<Payload, Tx>): Promise<boolean> {
    const { inbox } = this.#parts.settings;
    if (!inbox || typeof inbox.onDuplicate !== "string") return false;
    const key = this.#keyOf(attempt.message);
    if (key === undefined) return false;
    // There is nothing to do in this turn: all it tells is whether there is one. If the inbox cannot say, it is not known.
    const justAsking = () => Promise.reject(new Error("This turn was only asked for"));
    const outcome = inbox.store.once(this.#entryOf(key, inbox), justAsking).catch(() => "unknown");
    return (await attempt.orLetGo(outcome)) === "duplicate";
  }

  async #prepare(
    attempt: Attempt<Payload, Tx>,
    payload: Payload | Promise<Payload>,
    suspect: boolean,
  ): Promise<RunOutcome> {
    const { inbox, handler } = this.#parts.settings;
    this.#identify(attempt, await payload);
    if (attempt.gaveUp) throw attempt.gaveUp;
    // Before any turn at the inbox: its connection may be the only one there is, and the charge would wait for it.
    if (suspect && !attempt.charged) await this.#charge(attempt);
    return inbox ? this.#throughInbox(attempt, inbox, suspect) : this.#perform(attempt, handler, suspect);
  }

  #identify(attempt: Attempt<Payload, Tx>, payload: Payload): void {
    attempt.payload = payload;
    attempt.key = this.#keyOf(attempt.message);
  }

  /** A user's rule that throws has met a message it was not made for. */
  #keyOf(message: Message): string | undefined {
    try {
      return this.#parts.settings.idempotencyKey(message);
    } catch (cause) {
      throw new UndecodablePayload("The idempotency key could not be read", { cause });
    }
  }

  async #charge(attempt: Attempt<Payload, Tx>): Promise<void> {
    const { settings, queue, by } = this.#parts;
    const at = new Date(settings.host.clock.now()).toISOString();
    const before = withPosition(attempt.past, attempt.delivery.position);
    const past = withRecord(before, { n: attempt.attempt, at, started: true, by });
    const headers = writeAttemptLog(attempt.message.headers, queue, past);
    const outcome = await attempt.delivery.charge(headers).catch((cause: unknown) => this.#uncharged(attempt, cause));
    if (outcome === "resent") throw new Resent();
    if (outcome === "charged") attempt.past = past;
  }

  /**
   * What has no room for a charge runs without one as long as its broker has not given it out more often than a message may crash: it
   * may have been put back, and never have run.
   */
  #uncharged({ delivery: { deliveryCount } }: Attempt<Payload, Tx>, cause: unknown): "uncharged" {
    const { crashes = poisonDefaults.crashes } = this.#parts.settings.poison ?? {};
    const hasRoom = !isOfficeError(cause, "MESSAGE_TOO_LARGE");
    if (hasRoom || deliveryCount === null || deliveryCount > crashes) return notCharged(cause);
    return "uncharged";
  }

  async #throughInbox(
    attempt: Attempt<Payload, Tx>,
    inbox: InboxSettings<Payload, Tx>,
    suspect: boolean,
  ): Promise<RunOutcome> {
    const { settings, events } = this.#parts;
    const { message, key } = attempt;
    if (key === undefined) {
      events.emit({ type: "key-missing", message, attempt: attempt.attempt });
      return this.#inTransaction(attempt, inbox, settings.handler, suspect);
    }
    const outcome = await inbox.store.once(this.#entryOf(key, inbox), async (turn) => {
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
    if (outcome !== "duplicate") return outcome === "ran" ? "succeeded" : "busy";
    return this.#duplicate(attempt, inbox, suspect);
  }

  #entryOf(key: string, inbox: InboxSettings<Payload, Tx>): InboxEntry {
    const { settings, queue } = this.#parts;
    const scope = JSON.stringify([queue, settings.name]);
    return { scope, key, windowMs: inbox.windowMs, leaseMs: settings.leaseMs };
  }

  async #duplicate(
    attempt: Attempt<Payload, Tx>,
    inbox: InboxSettings<Payload, Tx>,
    suspect: boolean,
  ): Promise<RunOutcome> {
    const { message, key = "" } = attempt;
    const { onDuplicate } = inbox;
    const treatment = typeof onDuplicate === "string" ? onDuplicate : "merge";
    this.#parts.events.emit({ type: "duplicate", key, treatment, message, attempt: attempt.attempt });
    if (typeof onDuplicate === "string") return "duplicate";
    return this.#inTransaction(attempt, inbox, onDuplicate.merge, suspect);
  }

  async #inTransaction(
    attempt: Attempt<Payload, Tx>,
    { store }: InboxSettings<Payload, Tx>,
    handler: Handler<Payload, Tx>,
    suspect: boolean,
  ): Promise<"succeeded"> {
    await store.without(async (tx) => {
      attempt.tx = tx;
      await this.#perform(attempt, handler, suspect);
    });
    return "succeeded";
  }

  /** Not `async`: every layer of that would cost each message. */
  #perform(attempt: Attempt<Payload, Tx>, handler: Handler<Payload, Tx>, suspect: boolean): Promise<"succeeded"> {
    const { events, settings, gate } = this.#parts;
    if (attempt.gaveUp) return Promise.reject(attempt.gaveUp);
    // Asked last of all: while the inbox was asked the breaker may have opened.
    attempt.token = gate.admit();
    if (attempt.token === 0) return Promise.reject(new Denied());
    if (attempt.attempt === 1) this.#noteRequest(attempt.message);
    if (events.heard) {
      attempt.startedAt = settings.host.clock.now();
      events.emit({ type: "attempt-started", suspect, message: attempt.message, attempt: attempt.attempt });
    }
    return events.surrounds ? this.#surrounded(attempt, handler) : attempt.run(handler);
  }

  async #surrounded(attempt: Attempt<Payload, Tx>, handler: Handler<Payload, Tx>): Promise<"succeeded"> {
    await this.#parts.events.around(attempt, async () => void (await attempt.run(handler)));
    return "succeeded";
  }

  /** Replays spend from the retry budget like retries do: a mass replay is load of the same sort. */
  #noteRequest(message: Message): void {
    const { budget, settings } = this.#parts;
    if (budget === undefined) return;
    const now = settings.host.clock.now();
    budget.request(now);
    if (message.headers.length > 0 && headerText(message.headers, wire.replay) !== undefined) budget.spend(now);
  }
}
