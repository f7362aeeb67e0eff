import type { Channel, ChannelModel, ConfirmChannel } from "amqplib";
import { loadClient } from "../../domain/client-library.ts";
import type { Cancel, Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { answerWithin } from "../answering-link.ts";
import { dropConnection, passPropertiesAsBytes, propertiesLimit } from "./raw-frames.ts";
import { type ServerRules, serverRules } from "./server-version.ts";
import { unavailable } from "./unavailable.ts";

export interface ConnectionParts {
  /** Tried in turn. */
  readonly urls: readonly string[];
  /** How the broker's overview calls it. */
  readonly name: string;
  readonly heartbeatMs: number;
  readonly answerWithinMs: number;
  readonly tls: object;
  readonly clock: Clock;
}

/** A connection while it is open. */
export interface Session {
  readonly rules: ServerRules;
  /** How many bytes properties and headers may have together. */
  readonly propertiesLimit: number;
  openChannel(): Promise<Channel>;
  openConfirmChannel(): Promise<ConfirmChannel>;
}

type Connect = (url: string, options: object) => Promise<ChannelModel>;

/** One connection to RabbitMQ at a time: opened when it is needed, and again after it was lost. */
export class Connection {
  readonly #parts: ConnectionParts;
  readonly #blockedListeners = new Set<(reason: string | null) => void>();
  #opening: Promise<Session> | null = null;
  #model: ChannelModel | null = null;
  #attempts = 0;
  #blocked: string | null = null;
  #lastError: unknown = undefined;
  #closed = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** Why the broker reads nothing from this connection at the moment, or null. */
  get blocked(): string | null {
    return this.#blocked;
  }

  /** What ended it the last time, as far as anybody said. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** What is behind an error: a request on a connection that ended is only told that no answer will come. */
  causeOf(error: unknown): unknown {
    return this.#model === null ? (this.#lastError ?? error) : error;
  }

  /** Calls `changed` when the broker stops reading, with its reason, and with null when it goes on. */
  onBlocked(changed: (reason: string | null) => void): Cancel {
    this.#blockedListeners.add(changed);
    return () => this.#blockedListeners.delete(changed);
  }

  /** The open connection, or one attempt to open it, which all who ask at the same time share. */
  open(): Promise<Session> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const model = this.#model;
    if (model === null) return;
    const { clock, answerWithinMs } = this.#parts;
    // A connection cut half-way never says goodbye.
    await answerWithin(model.close(), clock, answerWithinMs).catch(() => dropConnection(model.connection));
  }

  async #open(): Promise<Session> {
    const { connect } = await loadClient("RabbitMQ", "amqplib", () => import("amqplib"));
    const model = await this.#connectToAny(connect);
    this.#watch(model);
    try {
      if (this.#closed) throw new OfficeError("TRANSPORT_CLOSED", "The transport was closed meanwhile.");
      passPropertiesAsBytes(model.connection);
      return this.#session(model);
    } catch (error) {
      dropConnection(model.connection);
      throw error;
    }
  }

  #session(model: ChannelModel): Session {
    const { connection } = model;
    const { clock, answerWithinMs } = this.#parts;
    const opened = async <AnyChannel extends Channel>(opening: Promise<AnyChannel>) =>
      withErrorsHeard(await answerWithin(opening, clock, answerWithinMs));
    return {
      rules: serverRules(connection.serverProperties),
      propertiesLimit: propertiesLimit(connection),
      openChannel: () => opened(model.createChannel()),
      openConfirmChannel: () => opened(model.createConfirmChannel()),
    };
  }

  async #connectToAny(connect: Connect): Promise<ChannelModel> {
    for (let left = this.#parts.urls.length - 1; ; left--) {
      try {
        return await this.#connect(connect, this.#nextUrl());
      } catch (error) {
        if (left === 0 || this.#closed) throw error;
      }
    }
  }

  async #connect(connect: Connect, url: URL): Promise<ChannelModel> {
    const { name, tls, answerWithinMs } = this.#parts;
    const options = { ...tls, noDelay: true, timeout: answerWithinMs, clientProperties: { connection_name: name } };
    try {
      return await connect(url.href, options);
    } catch (error) {
      throw unavailable(whyNot(url, error), error);
    }
  }

  #watch(model: ChannelModel): void {
    this.#model = model;
    // Whoever is hurt by it tells of it; an error that nobody listens to would end the process.
    model.on("error", (error) => {
      this.#lastError = error;
    });
    model.on("blocked", (reason) => this.#tellBlocked(reason));
    model.on("unblocked", () => this.#tellBlocked(null));
    model.on("close", (error) => {
      if (this.#model !== model) return;
      this.#lastError = error ?? this.#lastError;
      this.#model = null;
      this.#opening = null;
      this.#tellBlocked(null);
    });
  }

  #tellBlocked(reason: string | null): void {
    if (this.#blocked === reason) return;
    this.#blocked = reason;
    for (const changed of this.#blockedListeners) changed(reason);
  }

  #nextUrl(): URL {
    const { urls, heartbeatMs } = this.#parts;
    const url = new URL(urls[this.#attempts++ % urls.length] as string);
    if (!url.searchParams.has("heartbeat")) {
      url.searchParams.set("heartbeat", String(Math.max(1, Math.round(heartbeatMs / 1_000))));
    }
    return url;
  }
}

/** A broker that says no is there: looking for it in the network is no use. */
function whyNot({ host, username, pathname }: URL, error: unknown): string {
  const said = error instanceof Error ? error.message : "";
  const user = decodeURIComponent(username) || "guest";
  if (said.includes("ACCESS_REFUSED") || said.includes("ACCESS-REFUSED"))
    return `RabbitMQ at ${host} refuses user ${user} or the password, which both stand in \`url\``;
  // Its client does not pass on what the broker says of that.
  if (said.includes("ConnectionOpenOk"))
    return `RabbitMQ at ${host} has no virtual host ${decodeURIComponent(pathname.slice(1)) || "/"} for user ${user}, as \`url\` wants it`;
  return `RabbitMQ at ${host} cannot be reached`;
}

/** A channel that fails closes, and that is what is listened for; an error nobody listens to would end the process. */
function withErrorsHeard<AnyChannel extends Channel>(channel: AnyChannel): AnyChannel {
  return channel.on("error", () => {});
}
