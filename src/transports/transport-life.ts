import { OfficeError } from "../domain/errors.ts";

/** One `consume` under way. */
interface Consuming {
  /** Resolves when it was stopped and everything under way has settled. */
  run(): Promise<void>;
  stop(): void;
}

/** The life of a transport: open, draining, closed. It knows what is under way, and closes when nothing is any more. */
export class TransportLife {
  readonly #broker: string;
  readonly #letGo: () => Promise<void>;
  readonly #consumers = new Map<Consuming, Promise<void>>();
  #sending = 0;
  #allSent: (() => void) | null = null;
  #state: "open" | "draining" | "closed" = "open";
  #closing: Promise<void> | null = null;

  /** `letGo` ends the connection, once nothing needs it. */
  constructor(broker: string, letGo: () => Promise<void>) {
    this.#broker = broker;
    this.#letGo = letGo;
  }

  send(start: () => Promise<void>): Promise<void> {
    return this.ask(start);
  }

  async ask<Answer>(start: () => Promise<Answer>): Promise<Answer> {
    // Handlers under way may still send while the transport drains.
    if (this.#state === "closed") throw this.#closedError();
    this.#sending += 1;
    try {
      return await start();
    } finally {
      this.#sending -= 1;
      if (this.#sending === 0) this.#allSent?.();
    }
  }

  async consume(make: () => Consuming): Promise<void> {
    if (this.#state !== "open") throw this.#closedError();
    const consumer = make();
    const running = consumer.run();
    this.#consumers.set(consumer, running);
    try {
      await running;
    } finally {
      this.#consumers.delete(consumer);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#state = "draining";
    for (const consumer of this.#consumers.keys()) consumer.stop();
    await Promise.allSettled(this.#consumers.values());
    this.#state = "closed";
    if (this.#sending > 0) {
      await new Promise<void>((resolve) => {
        this.#allSent = resolve;
      });
    }
    await this.#letGo();
  }

  #closedError(): OfficeError {
    return new OfficeError("TRANSPORT_CLOSED", `The ${this.#broker} transport is closed. Make a new one to go on.`);
  }
}
