import { readFile } from "node:fs/promises";
import type { JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection as Client, ConnectionOptions, Msg, MsgHdrs, TlsOptions } from "@nats-io/transport-node";
import { loadClient } from "../../domain/client-library.ts";
import { OfficeError } from "../../domain/errors.ts";
import { parseNatsAddress } from "./address.ts";
import { refusalOf, refusalOfAnswer } from "./refusal.ts";

export interface ConnectionParts {
  readonly url: string;
  readonly tls: TlsOptions | null;
  /** The text of a credentials file. */
  readonly credentials: string | null;
  readonly name: string;
  /** How long the server may take to answer, in milliseconds. */
  readonly answerWithinMs: number;
}

/** What goes into a stream. */
export interface Outgoing {
  readonly payload: Uint8Array;
  readonly headers: MsgHdrs | undefined;
}

export interface PublishAnswer {
  readonly stream: string;
  readonly seq: number;
  /** The stream had a message of the same id already. */
  readonly duplicate?: boolean;
}

/** A connection as it is open now. */
export interface Opened {
  readonly client: Client;
  readonly manager: JetStreamManager;
  makeHeaders(): MsgHdrs;
  makeInbox(): string;
}

/**
 * The connection to NATS, made when it is first needed. One that is lost is not mended behind our back, which would send
 * acknowledgements out of its buffer long after their leases: whoever needs one next makes another.
 */
export class NatsConnection {
  readonly #parts: ConnectionParts;
  #opening: Promise<Opened> | null = null;
  #closed = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** How long the server may take to answer, in milliseconds. */
  get answerWithinMs(): number {
    return this.#parts.answerWithinMs;
  }

  opened(): Promise<Opened> {
    if (this.#closed) throw new OfficeError("TRANSPORT_CLOSED", "The connection to NATS is closed.");
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null;
      throw refusalOf(error);
    });
    return this.#opening;
  }

  /** Resolves when a stream has it. */
  async publish(subject: string, { payload, headers }: Outgoing): Promise<PublishAnswer> {
    const answer = await this.request(subject, payload, headers);
    const said = answer.json<PublishAnswer & { readonly error?: { err_code?: number; description?: string } }>();
    if (said.error !== undefined) throw refusalOfAnswer(said.error);
    return said;
  }

  async request(subject: string, payload: Uint8Array | string, headers?: MsgHdrs): Promise<Msg> {
    const { client } = await this.opened();
    try {
      const timeout = this.#parts.answerWithinMs;
      return await client.request(subject, payload, { timeout, ...(headers === undefined ? {} : { headers }) });
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** Says something that nobody answers. */
  tell(subject: string, payload: string): Promise<void> {
    return this.tellAll([subject], payload);
  }

  async tellAll(subjects: readonly string[], payload: string): Promise<void> {
    const { client } = await this.opened();
    try {
      for (const subject of subjects) client.publish(subject, payload);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** Asks JetStream to show or to make something. */
  async manage<Answer>(ask: (manager: JetStreamManager) => Promise<Answer>): Promise<Answer> {
    const { manager } = await this.opened();
    try {
      return await ask(manager);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** What was said last is on its way before it ends. */
  async close(): Promise<void> {
    this.#closed = true;
    const opened = await this.#opening?.catch(() => null);
    await opened?.client.flush().catch(() => {});
    await opened?.client.close();
  }

  async #open(): Promise<Opened> {
    const client = await loadClient("NATS", "@nats-io/transport-node", () => import("@nats-io/transport-node"));
    const jetstream = await loadClient("NATS", "@nats-io/jetstream", () => import("@nats-io/jetstream"));
    const { url, tls, name, answerWithinMs } = this.#parts;
    const { credentialsFile, ...address } = parseNatsAddress(url);
    const credentials = this.#parts.credentials ?? (await readCredentials(credentialsFile));
    const options: ConnectionOptions = {
      ...address,
      ...(tls === null ? {} : { tls }),
      ...(credentials === null
        ? {}
        : { authenticator: client.credsAuthenticator(new TextEncoder().encode(credentials)) }),
      name,
      timeout: answerWithinMs,
      reconnect: false,
      // A connection that died in silence is found out after two of these.
      pingInterval: answerWithinMs,
    };
    const connected = await client.connect(options);
    void connected.closed().then(() => {
      this.#opening = null;
    });
    const manager = await jetstream.jetstreamManager(connected, { checkAPI: false, timeout: answerWithinMs });
    return { client: connected, manager, makeHeaders: client.headers, makeInbox: client.createInbox };
  }
}

/** Read each time: they are renewed. */
async function readCredentials(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null;
  return readFile(file, "utf8").catch((cause: unknown) => {
    const sentence = `The credentials file ${file} cannot be read. See \`credentials\` in the address of NATS, and who may read it.`;
    throw new OfficeError("ACCESS_REFUSED", sentence, { details: { file }, cause });
  });
}
