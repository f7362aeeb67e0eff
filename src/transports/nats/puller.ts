import type { NatsConnection as Client, Msg } from "@nats-io/transport-node";
import { OfficeError } from "../../domain/errors.ts";
import type { NatsConnection, Opened } from "./connection.ts";
import { refusalOf } from "./refusal.ts";
import type { Reader } from "./topology.ts";

interface Question {
  readonly messages: Msg[];
  readonly max: number;
  readonly answered: (messages: readonly Msg[]) => void;
  readonly failed: (error: unknown) => void;
}

/** What the server says when it has given all it had: there is nothing, or no more. */
const ended = [404, 408];

/** Asks a consumer of JetStream for what there is now, one question at a time. */
export class Puller {
  readonly #connection: NatsConnection;
  readonly #ask: string;
  #ear: { readonly client: Client; readonly inbox: string } | null = null;
  #question: Question | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: NatsConnection, { stream, consumer }: Reader) {
    this.#connection = connection;
    this.#ask = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
  }

  pull(max: number): Promise<readonly Msg[]> {
    const asking = this.#last.then(() => this.#pull(max));
    this.#last = asking.catch(() => {});
    return asking;
  }

  async #pull(max: number): Promise<readonly Msg[]> {
    const opened = await this.#connection.opened();
    const { client } = opened;
    const inbox = this.#listen(opened);
    return new Promise((resolve, reject) => {
      this.#question = { messages: [], max, answered: resolve, failed: reject };
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
    client.subscribe(inbox, { callback: (error, msg) => this.#hear(error, msg) });
    this.#ear = { client, inbox };
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

  #heed(question: Question, { headers }: Msg): void {
    const code = headers?.code ?? 0;
    if (ended.includes(code)) this.#answer(question);
    else if (code === 503) this.#fail(refusalOf(new Error("consumer not found")));
    else if (code >= 400) this.#fail(refusalOf(new Error(`${code} ${headers?.description ?? ""}`)));
  }

  #answer(question: Question): void {
    this.#question = null;
    question.answered(question.messages);
  }

  #fail(error: unknown): void {
    const question = this.#question;
    this.#question = null;
    question?.failed(error);
  }

  /** What came of an answer that broke off is given to somebody else when the server has waited long enough. */
  #lose(client: Client, error: unknown): void {
    if (this.#ear?.client !== client) return;
    this.#ear = null;
    this.#fail(new OfficeError("TRANSPORT_UNAVAILABLE", "The connection to NATS was lost.", { cause: error }));
  }
}
