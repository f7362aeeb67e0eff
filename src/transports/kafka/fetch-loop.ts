import { type Host, pause } from "../../domain/clock.ts";
import { Bell } from "../bell.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import { unknownAnswer } from "../unknown-answer.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import {
  type Fetched,
  type GroupSession,
  type KafkaBrokerAddress,
  type KafkaDriver,
  KafkaFault,
  type Share,
  type TopicPartition,
} from "./driver.ts";
import type { PartitionWork } from "./partition-work.ts";

export interface FetchLoopParts {
  readonly session: GroupSession;
  readonly driver: KafkaDriver;
  readonly host: Host;
  readonly watch: ConnectionWatch;
  /** Partitions to be read at this moment: ours, with room for more. */
  readonly wanted: () => readonly PartitionWork[];
  /** Whether it is still ours. */
  readonly isOurs: (work: PartitionWork) => boolean;
  /** Something was read. */
  readonly received: () => void;
}

/**
 * Partitions in which much comes are asked for by themselves: the broker answers at once. The others it may keep for a
 * while until something comes, and that must not hold up the first.
 */
const ways = {
  busy: { slot: 1, maxWaitMs: 0 },
  quiet: { slot: 2, maxWaitMs: 100 },
} as const;
type Way = keyof typeof ways;

const maxPartitionBytes = 1_048_576;

/** Reads ahead, from all partitions that have room. Each broker is asked by itself: one that is away holds up no other. */
export class FetchLoop {
  readonly #parts: FetchLoopParts;
  readonly #bell = new Bell();
  readonly #stopped = new AbortController();
  /** Brokers, and the way in which they are being asked, or left alone for a while. */
  readonly #taken = new Set<string>();
  /** Partitions that are being asked for. */
  readonly #asked = new Set<PartitionWork>();
  /** Partitions that are left alone for a while: the broker had nothing good to say of them. */
  readonly #resting = new Set<PartitionWork>();
  /** How often in a row something failed, by what it was. */
  readonly #failures = new Map<string, number>();

  constructor(parts: FetchLoopParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      const wanted = this.#parts.wanted();
      const free = wanted.filter((work) => !this.#asked.has(work) && !this.#resting.has(work));
      if (free.length > 0) await this.#askAll(free);
      else if (wanted.length === 0) this.#forgetFailures();
      await this.#bell.heard();
    }
  }

  /** There may be something to read again. */
  wake(): void {
    this.#bell.ring();
  }

  stop(): void {
    this.#stopped.abort();
    this.wake();
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  async #askAll(wanted: readonly PartitionWork[]): Promise<void> {
    try {
      const shares = await this.#parts.session.leaders(wanted);
      this.#works("leaders");
      this.#forgetAllBut(shares);
      for (const { leader, partitions } of shares) {
        void this.#ask({ leader, partitions: partitions.filter(({ isBusy }) => isBusy) }, "busy");
        void this.#ask({ leader, partitions: partitions.filter(({ isBusy }) => !isBusy) }, "quiet");
      }
      const led = new Set(shares.flatMap(({ partitions }) => partitions));
      for (const work of wanted) {
        if (!led.has(work)) void this.#sitOut(work, new KafkaFault("LEADER_NOT_AVAILABLE", nameOf(work)));
      }
    } catch (error) {
      await this.#failed("leaders", error);
      this.wake();
    }
  }

  async #ask(share: Share<PartitionWork>, way: Way): Promise<void> {
    const name = `${addressOf(share.leader)} ${way}`;
    if (this.#taken.has(name) || share.partitions.length === 0) return;
    this.#taken.add(name);
    for (const work of share.partitions) this.#asked.add(work);
    try {
      await this.#fetch(share, way);
      this.#works(name);
    } catch (error) {
      await this.#failed(name, error);
    }
    this.#taken.delete(name);
    for (const work of share.partitions) this.#asked.delete(work);
    this.wake();
  }

  async #fetch({ leader, partitions }: Share<PartitionWork>, way: Way): Promise<void> {
    const { session, isOurs, received } = this.#parts;
    const positions = partitions.map(({ topic, partition, fetchOffset }) => ({
      ...{ topic, partition, offset: fetchOffset },
    }));
    const answers = await session.fetch(leader, positions, { ...ways[way], maxPartitionBytes });
    const byName = new Map(partitions.map((work) => [nameOf(work), work]));
    for (const answer of answers) {
      const work = byName.get(nameOf(answer));
      byName.delete(nameOf(answer));
      if (work !== undefined && isOurs(work)) await this.#take(work, answer);
    }
    // Of each there is an answer, if only that there is nothing: without one a partition would stand still unnoticed.
    for (const [name, work] of byName) void this.#sitOut(work, unknownAnswer("Kafka", `a fetch of ${name}`, null));
    received();
  }

  async #take(work: PartitionWork, answer: Fetched): Promise<void> {
    if (answer.kind === "failed") return void this.#sitOut(work, answer.fault);
    // Bytes in which nothing can be read would be fetched again and again, as if nothing had come.
    const isUnreadable = answer.kind === "records" && answer.bytes > 0 && answer.nextOffset <= work.fetchOffset;
    if (isUnreadable) return void this.#sitOut(work, unknownAnswer("Kafka", `a fetch of ${nameOf(work)}`, "records"));
    if (this.#failures.size > 0) this.#works(nameOf(work));
    if (answer.kind === "records") return work.receive(answer);
    // Retention was quicker than we were, or the topic was made anew.
    work.restart(await this.#parts.driver.edgeOffset(work, "earliest"));
  }

  /** Leaves a partition alone for a while: somebody else may lead it then. */
  async #sitOut(work: PartitionWork, error: unknown): Promise<void> {
    this.#resting.add(work);
    await this.#failed(nameOf(work), error);
    this.#resting.delete(work);
    if (!this.#parts.isOurs(work)) this.#works(nameOf(work));
    this.wake();
  }

  #works(name: string): void {
    if (this.#failures.delete(name)) this.#parts.watch.works(`fetch ${name}`);
  }

  /** A broker that leads nothing of ours any more need not be there. */
  #forgetAllBut(shares: readonly Share<PartitionWork>[]): void {
    const leaders = new Set(shares.map(({ leader }) => addressOf(leader)));
    for (const name of [...this.#failures.keys()]) {
      const [broker = "", way] = name.split(" ");
      if (way !== undefined && !leaders.has(broker) && !this.#taken.has(name)) this.#works(name);
    }
  }

  /** Nothing is to be asked of anybody, so nothing can fail. */
  #forgetFailures(): void {
    for (const name of [...this.#failures.keys()]) this.#works(name);
  }

  async #failed(name: string, error: unknown): Promise<void> {
    const { host, watch } = this.#parts;
    const tried = (this.#failures.get(name) ?? 0) + 1;
    this.#failures.set(name, tried);
    const waitMs = repeatDelayMs(tried, host.random);
    if (!this.#isStopped) watch.failed(`fetch ${name}`, error, waitMs);
    await pause(host.clock, waitMs, this.#stopped.signal);
  }
}

function addressOf({ host, port }: KafkaBrokerAddress): string {
  return `${host}:${port}`;
}

function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
