import { pause } from "../../../src/domain/clock.ts";
import { type Address, type Delivery, done, makeMessage, type Verdict } from "../../../src/domain/message.ts";
import { systemClock } from "../../../src/system/host.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import type { Transport } from "../../../src/transports/transport.ts";
import { text } from "./bench.ts";

export interface TallyOptions {
  readonly keys: number;
  /** Share of deliveries that are put off to a retry. */
  readonly retries: number;
}

/** Messages of some keys, numbered, and what became of each. */
export class Tally {
  readonly #options: TallyOptions;
  readonly #succeeded = new Map<string, number[]>();
  #sent = 0;
  /** Sent, and known to be with the broker. */
  readonly accepted = new Set<string>();
  /** Successes after the first of a message. */
  duplicates = 0;
  handled = 0;
  /** Messages that first succeeded before one of their key that was sent earlier. */
  readonly outOfOrder: string[] = [];

  constructor(options: TallyOptions) {
    this.#options = options;
  }

  /** Sends one message of each key, in order, until all are accepted. */
  async send(transport: Transport, to: Address): Promise<void> {
    this.#sent += 1;
    const number = this.#sent;
    const sends = Array.from({ length: this.#options.keys }, async (_, key) => {
      await until(() => transport.send(to, makeMessage({ body: `${key}:${number}`, key: `key ${key}` })));
      this.accepted.add(`${key}:${number}`);
    });
    await Promise.all(sends);
  }

  readonly handle = async ({ message }: Delivery): Promise<Verdict> => {
    this.handled += 1;
    await pause(systemClock, Math.random() * 15);
    const delayMs = Math.random() < 0.5 ? 0 : 300;
    if (Math.random() < this.#options.retries) return { kind: "retry", delayMs, message };
    this.#succeed(text(message));
    return done;
  };

  get missing(): string[] {
    return [...this.accepted].filter((body) => {
      const [key = "", number] = body.split(":");
      return !this.#succeeded.get(key)?.includes(Number(number));
    });
  }

  #succeed(body: string): void {
    const [key = "", number] = body.split(":");
    const earlier = this.#succeeded.get(key) ?? [];
    this.#succeeded.set(key, earlier);
    if (earlier.includes(Number(number))) {
      this.duplicates += 1;
      return;
    }
    if (earlier.length !== Number(number) - 1) this.outOfOrder.push(body);
    earlier.push(Number(number));
  }
}

/** Repeats until it is done: the broker may be away. */
async function until(attempt: () => Promise<void>): Promise<void> {
  await eventually(attempt, { withinMs: 120_000 });
}
