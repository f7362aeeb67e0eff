import type { NatsConnection as Client, Msg, Subscription } from "@nats-io/transport-node";
import type { Cancel, Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { unknownAnswer } from "../unknown-answer.ts";
import type { NatsConnection, Opened } from "./connection.ts";
import { acknowledgeGone } from "./gone.ts";
import { isNobodyThere, refusalOf } from "./refusal.ts";
import type { Reader } from "./topology.ts";

interface Question {
  readonly messages: Msg[];
  readonly max: number;
  readonly answered: (messages: readonly Msg[]) => void;
  readonly failed: (error: unknown) => void;
  /** Stops waiting for silence. */
  cancel: Cancel;
}

interface Ear {
  readonly client: Client;
  readonly inbox: string;
  readonly subscription: Subscription;
}

/**
 * A question of which nothing comes for as long as the server may take to answer is given up, after so many silences in a row.
 * A server that was killed may wait for what it has lost, and then says nothing at all, not even that there is nothing.
 */
const silencesUntilGivenUp = 2;

/** What the server says when it has given all it had: there is nothing, or no more. */
const ended = [404, 408];
/** A heartbeat, which answers nothing. */
const stillThere = 100;

/** Asks a consumer of JetStream for what there is now, one question at a time. */
export class Puller {
  readonly #connection: NatsConnection;
  readonly #clock: Clock;
  readonly #ask: string;
  readonly #reader: Reader;
  #ear: Ear | null = null;
  #question: Question | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: NatsConnection, clock: Clock, reader: Reader) {
    const { stream, consumer } = reader;
    this.#connection = connection;
    this.#clock = clock;
    this.#reader = reader;
    this.#ask = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
  }

  get reader(): Reader {
    return this.#reader;
  }

  pull(max: number): Promise<readonly Msg[]> {
    const asking = this.#last.then(() => this.#pull(max));
    this.#last = asking.catch(() => {});
    return asking;
  }

  /** Once all that was asked is answered, it listens no more. */
  stop(): void {
    void this.#last.then(() => {
      this.#ear?.subscription.unsubscribe();
      this.#ear = null;
    });
  }

  async #pull(max: number): Promise<readonly Msg[]> {
    const opened = await this.#connection.opened();
    const { client } = opened;
    const inbox = this.#listen(opened);
    return new Promise((resolve, reject) => {
      const question: Question = { messages: [], max, answered: resolve, failed: reject, cancel: () => {} };
      this.#question = question;
      this.#listenOn(question, 0);
      try {
        client.publish(this.#ask, JSON.stringify({ batch: max, no_wait: true }), { reply: inbox });
      } catch (error) {
        this.#fail(refusalOf(error));
      }
    });
  }

  #listen({ client, makeInbox }: Opened): string {
    if (this.#ear?.client === client) return this.#ear.inbox;
    const inbox = makeInbox();
    const subscription = client.subscribe(inbox, { callback: (error, msg) => this.#hear(error, msg) });
    this.#ear = { client, inbox, subscription };
    void client.closed().then((error) => this.#lose(client, error));
    return inbox;
  }

  #hear(error: Error | null, msg: Msg): void {
    const question = this.#question;
    if (error !== null) this.#fail(refusalOf(error));
    if (error !== null || question === null) return;
    // Messages come under subjects of their own.
    if (msg.subject === this.#ear?.inbox) this.#heed(question, msg);
    else if (question.messages.push(msg) === question.max) this.#answer(question);
  }

  #heed(question: Question, { headers, data }: Msg): void {
    const code = headers?.code ?? 0;
    if (code === stillThere) return;
    if (ended.includes(code)) this.#answer(question);
    else if (code === 503) this.#fail(refusalOf(new Error("consumer not found")));
    else if (code >= 400) this.#fail(refusalOf(new Error(`${code} ${headers?.description ?? ""}`)));
    else this.#fail(unknownAnswer("NATS", `a pull with status ${code}`, data));
  }

  /** A process that stood still itself has only not heard yet: the silence is counted anew then. */
  #listenOn(question: Question, heard: number, silences = 0): void {
    const beganAt = this.#clock.now();
    const silenceMs = this.#connection.answerWithinMs / silencesUntilGivenUp;
    question.cancel = this.#clock.after(silenceMs, () => {
      const stoodStill = this.#clock.now() - beganAt > 1.5 * silenceMs;
      const isSilent = question.messages.length === heard && !stoodStill;
      const counted = isSilent ? silences + 1 : 0;
      if (counted < silencesUntilGivenUp) this.#listenOn(question, question.messages.length, counted);
      else this.#giveUp(question);
    });
  }

  /**
   * With another ear for the next one: whatever this one's answer was to be goes to nobody, and so stays with the server. Where
   * nothing came at all, nobody can say that there is nothing: a drain would take the queue for empty.
   */
  #giveUp(question: Question): void {
    this.#ear?.subscription.unsubscribe();
    this.#ear = null;
    if (question.messages.length > 0) this.#answer(question);
    // One that was deleted is as silent as one that stands still, and is made again by whoever hears that it is gone.
    void acknowledgeGone(this.#connection, this.#reader)
      .catch((error: unknown) => (isNobodyThere(error) ? error : undefined))
      .then((gone) => {
        if (this.#question !== question) return;
        this.#fail(gone ?? unanswered(this.#reader, this.#connection.answerWithinMs));
      });
  }

  #answer(question: Question): void {
    this.#question = null;
    question.cancel();
    question.answered(question.messages);
  }

  #fail(error: unknown): void {
    const question = this.#question;
    this.#question = null;
    question?.cancel();
    question?.failed(error);
  }

  /** What came of an answer that broke off is given to somebody else when the server has waited long enough. */
  #lose(client: Client, error: unknown): void {
    if (this.#ear?.client !== client) return;
    this.#ear = null;
    this.#fail(new OfficeError("TRANSPORT_UNAVAILABLE", "The connection to NATS was lost.", { cause: error }));
  }
}

function unanswered({ stream, consumer }: Reader, withinMs: number): OfficeError {
  const sentence =
    `NATS did not answer for consumer ${consumer} of stream ${stream} within ${withinMs} ms. It is asked again; if it goes on, ` +
    "see what the server logs, and `nats consumer info`.";
  return new OfficeError("TRANSPORT_UNAVAILABLE", sentence, { details: { stream, consumer } });
}
