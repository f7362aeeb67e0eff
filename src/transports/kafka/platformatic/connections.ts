import type { ConnectionOptions } from "node:tls";
import type { Connection, SASLOptions } from "@platformatic/kafka";
import { loadClient } from "../../../domain/client-library.ts";
import { OfficeError } from "../../../domain/errors.ts";
import type { KafkaBrokerAddress } from "../driver.ts";

export type Library = typeof import("@platformatic/kafka");

/** Loaded when first needed: it takes a third of a second. */
export function loadLibrary(): Promise<Library> {
  return loadClient("Kafka", "@platformatic/kafka", () => import("@platformatic/kafka"));
}

export interface ConnectionSettings {
  readonly clientId: string;
  readonly tls: ConnectionOptions | undefined;
  readonly sasl: SASLOptions | undefined;
  /** Where a broker is reached that says it is at this address. */
  readonly addressOf: (broker: KafkaBrokerAddress) => KafkaBrokerAddress;
  readonly answerWithinMs: number;
}

/**
 * Connections to brokers, one for each purpose: a broker answers the requests of a connection one after the other, so
 * that one which waits would keep the others waiting.
 */
export class Connections {
  readonly #settings: ConnectionSettings;
  readonly #open = new Map<string, Promise<Connection>>();
  #closed = false;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
  }

  /** `waitMs` is how long the broker may keep the request before it answers. */
  to(purpose: string, broker: KafkaBrokerAddress, waitMs = 0): Promise<Connection> {
    const name = `${purpose} ${broker.host}:${broker.port}`;
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const opening = this.#connect(broker, waitMs, () => {
      if (this.#open.get(name) === opening) this.#open.delete(name);
    });
    this.#open.set(name, opening);
    return opening;
  }

  /** Closes those for purposes that begin like this. */
  async close(purpose = ""): Promise<void> {
    this.#closed ||= purpose === "";
    const names = [...this.#open.keys()].filter((name) => name.startsWith(purpose));
    const closing = names.map((name) => this.#open.get(name));
    for (const name of names) this.#open.delete(name);
    await Promise.allSettled(closing.map(async (opening) => (await opening)?.close()));
  }

  async #connect(broker: KafkaBrokerAddress, waitMs: number, gone: () => void): Promise<Connection> {
    const { clientId, tls, sasl, addressOf, answerWithinMs } = this.#settings;
    try {
      const library = await loadLibrary();
      if (this.#closed) throw new OfficeError("TRANSPORT_CLOSED", "The Kafka transport is closed.");
      const requestTimeout = answerWithinMs + waitMs;
      const options = { connectTimeout: answerWithinMs, requestTimeout, ...(tls && { tls }), ...(sasl && { sasl }) };
      const connection = new library.Connection(clientId, options);
      connection.on("close", gone);
      connection.on("error", gone);
      const { host, port } = addressOf(broker);
      await connection.connect(host, port);
      return connection;
    } catch (error) {
      gone();
      throw error;
    }
  }
}
