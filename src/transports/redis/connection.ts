import type { ConnectionOptions } from "node:tls";
import type { Redis, RedisOptions } from "ioredis";
import { loadClient } from "../../domain/client-library.ts";
import type { Random } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { type RedisArgument, type RedisScript, runRedisScript } from "../../domain/redis.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import { type RedisUse, refusalOf } from "./refusal.ts";

export interface ConnectionParts {
  readonly url: string;
  readonly tls: ConnectionOptions | null;
  readonly name: string;
  /** A connection that is silent for longer than this, while an answer is due, is given up, in milliseconds. */
  readonly silenceMs: number;
  readonly random: Random;
  /** What its refusals speak of. @default "streams" */
  readonly use?: RedisUse;
}

export type RedisCommand = readonly [command: string, args: readonly RedisArgument[]];

/** Connections to one Redis, made when they are first needed; one that is lost is made again. */
export class RedisConnection {
  readonly #parts: ConnectionParts;
  readonly #blocking = new Set<Redis>();
  #client: Promise<Redis> | null = null;
  /** What a connection complained of since one was good. */
  #trouble: unknown = null;
  #closed = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  async run(script: RedisScript, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown> {
    const client = await this.#connected();
    try {
      return await runRedisScript(client, script, keys, args);
    } catch (error) {
      throw refusalOf(error, this.#trouble, this.#parts.use ?? "streams");
    }
  }

  /**
   * All of them in one step. Rejects if one of them is refused; the others are done all the same. Null: Redis is out of
   * memory, and begins no such step then, whatever is in it.
   */
  async together(commands: readonly RedisCommand[]): Promise<readonly unknown[] | null> {
    const client = await this.#connected();
    try {
      // Written one after the other before anybody else gets a turn.
      const queued = [["MULTI", []] as const, ...commands].map(([command, args]) =>
        client.callBuffer(command, [...args]),
      );
      const [answers] = await Promise.all([client.callBuffer("EXEC", []), ...queued]);
      const refused = (answers as readonly unknown[]).find((answer) => answer instanceof Error);
      if (refused !== undefined) throw refused;
      return answers as readonly unknown[];
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("OOM")) return null;
      throw refusalOf(error, this.#trouble, this.#parts.use ?? "streams");
    }
  }

  async call(command: string, args: RedisArgument[]): Promise<unknown> {
    const client = await this.#connected();
    try {
      return await client.callBuffer(command, args);
    } catch (error) {
      throw refusalOf(error, this.#trouble, this.#parts.use ?? "streams");
    }
  }

  /** A connection of its own, for one that waits in it for `waitMs` at a time. */
  async blocking(waitMs: number): Promise<Redis> {
    const client = await this.#open(this.#parts.silenceMs + waitMs);
    this.#blocking.add(client);
    client.once("end", () => this.#blocking.delete(client));
    return client;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const client of this.#blocking) client.disconnect();
    const client = await this.#client?.catch(() => null);
    client?.disconnect();
  }

  #connected(): Promise<Redis> {
    if (this.#closed) throw new OfficeError("TRANSPORT_CLOSED", "The connection to Redis is closed.");
    this.#client ??= this.#open(this.#parts.silenceMs).catch((error: unknown) => {
      // Asked again next time: the package may be there by then.
      this.#client = null;
      throw error;
    });
    return this.#client;
  }

  async #open(socketTimeout: number): Promise<Redis> {
    const { Redis: Client } = await loadClient("Redis", "ioredis", () => import("ioredis"));
    const client = new Client(this.#parts.url, { ...this.#options(), socketTimeout });
    client.on("error", (error: unknown) => {
      this.#trouble = error;
    });
    client.on("ready", () => {
      this.#trouble = null;
    });
    if (this.#closed) client.disconnect();
    return client;
  }

  /**
   * What was on its way when a connection was lost is unknown, and rejects: sent again behind our back it would be done
   * twice. What comes while there is none waits for the next try to connect, and fails with it.
   */
  #options(): Omit<RedisOptions, "replyMapping"> {
    const { tls, name, random } = this.#parts;
    return {
      connectionName: name,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (tries) => repeatDelayMs(tries, random),
      // After a failover the old connection may lead to what is a replica now.
      reconnectOnError: (error) => error.message.startsWith("READONLY"),
      ...(tls === null ? {} : { tls }),
    };
  }
}
