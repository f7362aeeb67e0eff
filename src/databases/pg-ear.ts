import type { Client, ClientConfig, Pool } from "pg";
import type { Cancel, Clock } from "../domain/clock.ts";
import { quoteName } from "../domain/database.ts";

const firstRetryMs = 500;
const longestRetryMs = 30_000;

/**
 * One connection for all notifications of a database, opened when somebody listens and closed when nobody does.
 *
 * It is never needed: while it is down consumers ask now and then, so losing it is no error, only a reason to try again.
 */
export class PgEar {
  readonly #pool: Pool;
  readonly #config: ClientConfig;
  readonly #clock: Clock;
  readonly #wakers = new Map<string, Set<() => void>>();
  #client: Client | null = null;
  #opening = false;
  #cancelRetry: Cancel | null = null;
  #failures = 0;
  /** What was said last: a connection is told one thing at a time. */
  #said: Promise<void> = Promise.resolve();

  constructor(pool: Pool, config: ClientConfig, clock: Clock) {
    this.#pool = pool;
    this.#config = config;
    this.#clock = clock;
  }

  async listen(channel: string, wake: () => void): Promise<() => Promise<void>> {
    // Each listener gets an entry of its own, so that one function may listen twice and stop once.
    const waker = () => wake();
    const wakers = this.#wakers.get(channel) ?? new Set();
    this.#wakers.set(channel, wakers.add(waker));
    if (this.#client === null) await this.#open();
    else if (wakers.size === 1) await this.#say("listen", channel);
    return async () => {
      if (!wakers.delete(waker) || wakers.size > 0) return;
      this.#wakers.delete(channel);
      if (this.#wakers.size === 0) await this.#close();
      else await this.#say("unlisten", channel);
    };
  }

  async #open(): Promise<void> {
    if (this.#opening) return;
    this.#opening = true;
    const client = newClient(this.#pool, this.#config);
    client.on("notification", ({ channel }) => this.#heard(channel));
    // Emitted several times for one loss; without a listener it would end the process.
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    try {
      await client.connect();
      for (const channel of this.#wakers.keys()) await client.query(`listen ${quoteName(channel)}`);
      this.#opened(client);
    } catch {
      this.#opening = false;
      void quietEnd(client);
      this.#retryLater();
    }
  }

  #opened(client: Client): void {
    this.#opening = false;
    this.#client = client;
    this.#failures = 0;
    if (this.#wakers.size === 0) void this.#close();
    // What was sent while nobody listened is found now rather than at the next look.
    for (const channel of this.#wakers.keys()) this.#heard(channel);
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    void quietEnd(client);
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#wakers.size === 0 || this.#cancelRetry !== null) return;
    const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#cancelRetry = this.#clock.after(delayMs, () => {
      this.#cancelRetry = null;
      void this.#open();
    });
  }

  #heard(channel: string): void {
    for (const wake of this.#wakers.get(channel) ?? []) wake();
  }

  #say(verb: "listen" | "unlisten", channel: string): Promise<void> {
    this.#said = this.#said.then(async () => {
      const client = this.#client;
      // What fails here is said again by the next connection.
      await client?.query(`${verb} ${quoteName(channel)}`).catch(() => this.#lost(client));
    });
    return this.#said;
  }

  async #close(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    const client = this.#client;
    this.#client = null;
    if (client !== null) await quietEnd(client);
  }
}

/** The pool knows its client class; importing the driver would make it a dependency of everybody. */
function newClient(pool: Pool, config: ClientConfig): Client {
  const { Client: Class } = pool as unknown as { Client: new (config: ClientConfig) => Client };
  return new Class(config);
}

async function quietEnd(client: Client): Promise<void> {
  await client.end().catch(() => {});
}
