import { type Cancel, type Host, pause, within } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import type { Address } from "../../domain/message.ts";
import type { BrokerTime } from "../broker-time.ts";
import { harmless } from "../consume-options.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import type { ConsumeOptions, Handle } from "../transport.ts";
import { CommitLoop } from "./commit-loop.ts";
import { ConnectionWatch } from "./connection-watch.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { GroupSession, KafkaDriver, TopicPartition } from "./driver.ts";
import { FetchLoop } from "./fetch-loop.ts";
import { GroupMember } from "./group-member.ts";
import { Lane } from "./lane.ts";
import type { PartitionWork } from "./partition-work.ts";
import type { Sender } from "./sender.ts";
import type { Topology } from "./topology.ts";
import { Trimmer } from "./trimmer.ts";

export interface KafkaConsumerParts {
  readonly driver: KafkaDriver;
  readonly topology: Topology;
  readonly sender: Sender;
  readonly time: BrokerTime;
  readonly host: Host;
  readonly from: Address;
  readonly handle: Handle;
  readonly options: ConsumeOptions;
  readonly settings: ConsumerTuning;
}

export interface ConsumerTuning {
  readonly topology: "make" | "check";
  readonly startFrom: "earliest" | "latest";
  readonly sessionTimeoutMs: number;
  readonly handOverMs: number;
  readonly answerWithinMs: number;
}

/** One `consume`: a member of the group, with the lanes it has at the time. */
export class KafkaConsumer {
  readonly #parts: KafkaConsumerParts;
  readonly #watch: ConnectionWatch;
  readonly #session: GroupSession;
  readonly #commits: CommitLoop;
  readonly #fetching: FetchLoop;
  readonly #dispatcher: Dispatcher;
  readonly #trimmer: Trimmer;
  readonly #lanes = new Map<number, Lane>();
  readonly #stopping = new AbortController();
  readonly #listeners: Cancel[] = [];
  #member: GroupMember | null = null;
  #failure: { readonly error: unknown } | null = null;
  #hasListened = false;
  /** Called when messages were let go. */
  #released: (() => void)[] = [];

  constructor(parts: KafkaConsumerParts) {
    this.#parts = parts;
    const { driver, host, from, handle, options, sender, time } = parts;
    const report = harmless(options.report);
    const watch = new ConnectionWatch(report);
    this.#watch = watch;
    this.#session = driver.session(from.group ?? "");
    this.#commits = new CommitLoop({
      ...{ host, watch },
      prepare: () => this.#take(),
      works: () => this.#works(),
      commit: (offsets) => this.#member?.commit(offsets) ?? Promise.resolve(),
      committed: () => this.#dispatcher.confirm(),
    });
    this.#fetching = new FetchLoop({
      ...{ driver, host, watch, session: this.#session },
      wanted: () => this.#readable(),
      isOurs: (work) => this.#lanes.get(work.partition)?.works.includes(work) ?? false,
      received: () => this.#received(),
    });
    this.#dispatcher = new Dispatcher({
      ...{ host, from, handle, options, sender, time, report },
      works: () => this.#takeable(),
      commits: this.#commits,
      released: () => this.#noteReleased(),
    });
    this.#trimmer = new Trimmer(driver, host.clock, () => this.#works());
  }

  /** Resolves when it was stopped and everything under way has settled. */
  async run(): Promise<void> {
    const { signal, gate } = this.#parts.options;
    const stop = () => this.stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#listeners.push(() => signal.removeEventListener("abort", stop));
    if (gate) this.#listeners.push(gate.onChange(() => this.#changed()));
    if (signal.aborted) this.stop();
    try {
      const topics = await this.#prepare();
      if (topics !== null) await this.#consume(topics);
    } finally {
      for (const cancel of this.#listeners) cancel();
      await this.#session.close();
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Nothing is handed over from here on, not even in place of a handler that ends at this very moment. */
  stop(): void {
    if (this.#stopping.signal.aborted) return;
    this.#dispatcher.stop();
    this.#stopping.abort();
  }

  /** The topics to be read, once there is a broker to say so; null if it was stopped before. */
  async #prepare(): Promise<readonly string[] | null> {
    const { topology, from, host } = this.#parts;
    for (let tried = 1; !this.#stopping.signal.aborted; tried++) {
      try {
        const topics = await topology.prepareQueue(from);
        this.#watch.works("topics");
        return topics;
      } catch (error) {
        if (isOfficeError(error) && error.code !== "TRANSPORT_UNAVAILABLE") throw error;
        const waitMs = repeatDelayMs(tried, host.random);
        this.#watch.failed("topics", error, waitMs);
        await pause(host.clock, waitMs, this.#stopping.signal);
      }
    }
    return null;
  }

  async #consume(topics: readonly string[]): Promise<void> {
    const member = this.#makeMember(topics);
    this.#member = member;
    const running = [member.run(), this.#fetching.run()];
    if (this.#parts.settings.topology === "make") this.#trimmer.start();
    await this.#untilStopped();
    this.#trimmer.stop();
    this.#fetching.stop();
    this.#giveUpIdleLanes(member);
    while (!this.#dispatcher.isIdle) await this.#nextRelease();
    // A broker that is away does not keep it: what could not be committed comes again.
    await within(this.#parts.host.clock, this.#parts.settings.answerWithinMs, this.#commits.flush(), () => {});
    this.#commits.stop();
    for (const lane of this.#lanes.values()) lane.close();
    await member.leave();
    await Promise.all(running);
  }

  #untilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  #makeMember(topics: readonly string[]): GroupMember {
    const { topology, host, settings, from } = this.#parts;
    return new GroupMember({
      ...{ session: this.#session, host, watch: this.#watch, queue: from.name, topics },
      sessionTimeoutMs: settings.sessionTimeoutMs,
      countPartitions: (queue, of) => topology.countPartitions(queue, of),
      claim: () => ({ lanes: [...this.#lanes.keys()], isLeaving: this.#stopping.signal.aborted }),
      assigned: (partitions) => this.#assigned(partitions),
      lost: (error) => this.#lost(error),
      failed: (error) => {
        this.#failure = { error };
        this.stop();
      },
    });
  }

  #assigned(partitions: readonly TopicPartition[]): void {
    const wanted = new Map<number, TopicPartition[]>();
    for (const one of partitions) wanted.set(one.partition, [...(wanted.get(one.partition) ?? []), one]);
    for (const lane of this.#lanes.values()) {
      if (wanted.has(lane.number)) lane.drain(false);
      else if (!lane.isDraining) void this.#drain(lane);
    }
    if (this.#stopping.signal.aborted) return;
    for (const [number, own] of wanted) {
      const lane = this.#lanes.get(number) ?? this.#makeLane(number);
      lane.open(own);
    }
    this.#changed();
  }

  #makeLane(number: number): Lane {
    const { driver, host, from, options, settings } = this.#parts;
    const lane = new Lane(number, {
      ...{ driver, host, from, session: this.#session, watch: this.#watch },
      ...{ order: options.order, startFrom: settings.startFrom },
      opened: () => this.#changed(),
    });
    this.#lanes.set(number, lane);
    return lane;
  }

  #received(): void {
    this.#dispatcher.pump();
    if (!this.#hasListened && this.#isAtEnd()) {
      this.#hasListened = true;
      this.#parts.options.listening?.();
    }
  }

  /** Of all that it has, if it has any. */
  #isAtEnd(): boolean {
    const lanes = [...this.#lanes.values()];
    return this.#dispatcher.isIdle && lanes.length > 0 && lanes.every(({ isAtEnd }) => isAtEnd);
  }

  /** Gives a lane up that goes to somebody else: what runs is finished first, within a bound, and committed. */
  async #drain(lane: Lane): Promise<void> {
    const { host, settings } = this.#parts;
    lane.drain(true);
    this.#dispatcher.release((work) => lane.works.includes(work));
    const end = host.clock.now() + settings.handOverMs;
    const isStill = () => lane.isDraining && !lane.isClosed;
    while (isStill() && lane.isBusy && host.clock.now() < end) await this.#nextRelease(end - host.clock.now());
    if (isStill()) await this.#commits.flush();
    if (!isStill()) return;
    this.#close([lane]);
    this.#member?.rejoin();
  }

  /** Whoever stops lets others have the lanes it is not at work on, however long the rest takes. */
  #giveUpIdleLanes(member: GroupMember): void {
    if (this.#dispatcher.isIdle) return;
    const idle = [...this.#lanes.values()].filter(({ isBusy }) => !isBusy);
    void this.#commits.flush().then(() => {
      this.#close(idle.filter(({ isBusy }) => !isBusy));
      member.rejoin();
    });
  }

  #lost(error: unknown): void {
    this.#close([...this.#lanes.values()], error);
  }

  #close(lanes: readonly Lane[], error?: unknown): void {
    for (const lane of lanes) {
      this.#dispatcher.abandon(lane.works, error);
      lane.close();
      this.#lanes.delete(lane.number);
    }
    this.#changed();
  }

  #changed(): void {
    this.#fetching.wake();
    this.#dispatcher.pump();
  }

  /** What is taken makes room for more. */
  #take(): boolean {
    const isMore = this.#dispatcher.prepare();
    this.#fetching.wake();
    return isMore;
  }

  #works(): PartitionWork[] {
    return Array.from(this.#lanes.values(), ({ works }) => works).flat();
  }

  #takeable(): PartitionWork[] {
    return Array.from(this.#lanes.values(), ({ isDraining, works }) => (isDraining ? [] : works)).flat();
  }

  /** A closed gate reads nothing: what is read would only lie here. */
  #readable(): PartitionWork[] {
    if (this.#parts.options.gate?.limit === 0) return [];
    return this.#takeable().filter(({ hasRoom }) => hasRoom);
  }

  #noteReleased(): void {
    if (this.#released.length === 0) return;
    for (const resolve of this.#released.splice(0)) resolve();
  }

  /** Resolves when a message was let go, or after `withinMs`. */
  #nextRelease(withinMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = withinMs === undefined ? () => {} : this.#parts.host.clock.after(withinMs, resolve);
      this.#released.push(() => {
        cancel();
        resolve();
      });
    });
  }
}
