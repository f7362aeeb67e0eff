import { pause } from "../../src/domain/clock.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { seededDice } from "../simulation/dice.ts";
import { type StartedBooks, startBooks } from "./books.ts";
import type { RunningBroker } from "./broker-driver.ts";
import { type BrokerName, brokers } from "./brokers.ts";
import { ConsumerProcess, type Ending } from "./consumer-process.ts";
import { KillLoop, type KillTally } from "./kill-loop.ts";
import type { Note } from "./note.ts";
import { type Findings, isSound, judge } from "./oracle.ts";
import { Producer } from "./producer.ts";

export interface ChaosOptions {
  readonly broker: BrokerName;
  /** Chance is repeated with it; what two cores make of it is not. */
  readonly seed: string;
  readonly inbox: boolean;
  /** Consumers killed. */
  readonly kills: number;
  /** Consumers stopped for longer than their lease. */
  readonly stops: number;
  /** How often the broker is killed and started again. */
  readonly serverKills: number;
  readonly progress?: (line: string) => void;
}

export interface ChaosReport extends KillTally, Findings {
  readonly options: Omit<ChaosOptions, "progress">;
  readonly serverKills: number;
  /** Duplicates that the inbox kept from having an effect. */
  readonly suppressed: number;
  /** Consumers that ended although nobody killed them, or did not stop as they should. */
  readonly ownEnds: readonly Ending[];
  readonly tookMs: number;
  readonly passed: boolean;
}

const queueName = "orders";
const consumers = 3;
const leaseMs = 2_000;
/** How long everything may take to come to rest after the last kill, in milliseconds. */
const settleWithinMs = 120_000;
/** A kill takes about a second with the start of the next process; this is when something hangs, in milliseconds. */
const longestPerKillMs = 10_000;
const progressEveryMs = 5_000;

/** Kills consumers and broker under way, lets everything settle, and judges what has become of each message. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const startedAt = systemClock.now();
  const driver = brokers[options.broker];
  await using closing = new AsyncDisposableStack();
  const broker = closing.adopt(await driver.start(), (started) => started.close());
  const books = closing.adopt(await startBooks(broker), (started) => started.close());
  const connection = closing.adopt(await driver.connect(broker.url), (opened) => opened.close());
  await broker.prepare(driver.queue(queueName));
  const found = await new Stage({ options, broker, books, transport: connection.transport }).play();
  return { ...found, tookMs: systemClock.now() - startedAt };
}

interface StageParts {
  readonly options: ChaosOptions;
  readonly broker: RunningBroker;
  readonly books: StartedBooks;
  /** The producer's. */
  readonly transport: Transport;
}

/** One run: a producer, consumers that die, a broker that does, and what is known of the orders meanwhile. */
class Stage {
  readonly #options: ChaosOptions;
  readonly #broker: RunningBroker;
  readonly #books: StartedBooks;
  readonly #loop: KillLoop;
  readonly #producer: Producer;
  #suppressed = 0;
  #serverKills = 0;

  constructor({ options, broker, books, transport }: StageParts) {
    const dice = seededDice(options.seed);
    const queue = brokers[options.broker].queue(queueName);
    const { broker: name, inbox } = options;
    const settings = {
      ...{ broker: name, url: broker.url, booksUrl: books.url, queue: queueName, inbox },
      ...{ leaseMs, timeLimitMs: 5_000, concurrency: 8, prefetch: 16 },
    };
    const start = () => new ConsumerProcess(settings, (note) => this.#hear(note));
    this.#options = options;
    this.#broker = broker;
    this.#books = books;
    this.#loop = new KillLoop({ ...options, dice: dice.fork("kills"), consumers, leaseMs, start });
    this.#producer = new Producer({ transport, queue, dice: dice.fork("orders") });
  }

  async play(): Promise<Omit<ChaosReport, "tookMs">> {
    const ending = new AbortController();
    const telling = this.#tellProgress(ending.signal);
    this.#producer.start();
    try {
      await within(settleWithinMs + longestPerKillMs * this.#options.kills, this.#killEverything());
      await this.#producer.stop();
      await this.#settle();
      await this.#loop.stop();
      return await this.#judge();
    } finally {
      ending.abort();
      await Promise.all([telling, this.#loop.abandon(), this.#producer.abandon()]);
    }
  }

  #hear({ type, id }: Note): void {
    if (type === "duplicate") this.#suppressed++;
    if (id !== null && ["attempt-succeeded", "duplicate", "dead-lettered"].includes(type)) this.#producer.finish(id);
  }

  async #killEverything(): Promise<void> {
    await Promise.all([this.#loop.run(), this.#killServers(seededDice(`${this.#options.seed}/server`).between)]);
  }

  /** Evenly among the kills of consumers. */
  async #killServers(between: (min: number, max: number) => number): Promise<void> {
    const { kills, serverKills } = this.#options;
    for (let number = 1; number <= serverKills; number++) {
      const due = Math.floor((number * kills) / (serverKills + 1));
      while (this.#loop.tally.killed < due) await pause(systemClock, 20);
      await pause(systemClock, between(0, 300));
      await this.#broker.kill();
      await pause(systemClock, between(0, 500));
      await this.#broker.start();
      this.#serverKills++;
    }
  }

  /** What does not settle in time is found by the oracle, in the work queue. */
  async #settle(): Promise<void> {
    const queue = brokers[this.#options.broker].queue(queueName);
    const isEmpty = async () => (await this.#broker.depth(queue)) === 0;
    const withinMs = brokers[this.#options.broker].settleWithinMs ?? settleWithinMs;
    await eventually(isEmpty, { withinMs }).catch(() => {});
  }

  async #judge(): Promise<Omit<ChaosReport, "tookMs">> {
    const { progress: _, ...options } = this.#options;
    const { sent, accepted } = this.#producer;
    const findings = judge({
      queue: queueName,
      inbox: options.inbox,
      sent,
      accepted,
      payments: await this.#books.payments(queueName),
      resting: await this.#broker.resting(brokers[options.broker].queue(queueName)),
    });
    const { ownEnds, tally } = this.#loop;
    const passed = isSound(findings) && ownEnds.length === 0;
    const counted = { serverKills: this.#serverKills, suppressed: this.#suppressed };
    return { options, ...findings, ...tally, ...counted, ownEnds, passed };
  }

  async #tellProgress(signal: AbortSignal): Promise<void> {
    const { kills, serverKills, progress } = this.#options;
    for (;;) {
      await pause(systemClock, progressEveryMs, signal);
      if (signal.aborted) return;
      const { accepted, open } = this.#producer;
      const killed = `${this.#loop.tally.killed} of ${kills} kills, ${this.#serverKills} of ${serverKills} of the broker`;
      progress?.(`${killed}; ${accepted.size} accepted, ${open} open`);
    }
  }
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = pause(systemClock, limitMs, over.signal).then(() => {
    if (!over.signal.aborted) throw new Error(`The kills were not done within ${limitMs} ms.`);
  });
  await Promise.race([work, late]).finally(() => over.abort());
}
