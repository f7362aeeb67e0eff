import type { Subscription } from "@nats-io/transport-node";
import type { Cancel, Clock } from "../../domain/clock.ts";
import type { NatsConnection } from "./connection.ts";

/** A queue that is empty is asked again when its next message is due, unless that is later than this, in milliseconds. */
const longestAlarmMs = 60_000;

/**
 * Wakes a consumer that has nothing to do. What goes into a stream is heard by everyone who listens on its subject: the first
 * that comes is the sign, and nothing is listened to while there is work. An alarm says when something is due. All of it only
 * hastens.
 */
export class Waker {
  readonly #connection: NatsConnection;
  readonly #clock: Clock;
  readonly #subjects: readonly string[];
  readonly #wake: () => void;
  #ears: readonly Subscription[] = [];
  #stopped = false;
  #deaf = false;
  #alarm: { readonly at: number; readonly cancel: Cancel } | null = null;

  constructor(connection: NatsConnection, clock: Clock, subjects: readonly string[], wake: () => void) {
    this.#connection = connection;
    this.#clock = clock;
    this.#subjects = subjects;
    this.#wake = wake;
  }

  /** There was nothing to take. */
  idle(): void {
    const isListening = this.#ears.some((ear) => !ear.isClosed());
    if (!isListening && !this.#stopped && !this.#deaf) void this.#listen();
  }

  wakeAt(at: number): void {
    const delayMs = at - this.#clock.now();
    const isNeeded = this.#alarm === null || at < this.#alarm.at;
    if (this.#stopped || delayMs > longestAlarmMs || !isNeeded) return;
    this.#alarm?.cancel();
    const cancel = this.#clock.after(Math.max(1, Math.ceil(delayMs)), () => {
      this.#alarm = null;
      this.#wake();
    });
    this.#alarm = { at, cancel };
  }

  wakeNow(): void {
    if (!this.#stopped) this.#wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#alarm?.cancel();
    this.#hush();
  }

  async #listen(): Promise<void> {
    try {
      const { client } = await this.#connection.opened();
      if (this.#stopped) return;
      const callback = (error: Error | null) => this.#heard(error);
      this.#ears = this.#subjects.map((subject) => client.subscribe(subject, { max: 1, callback }));
      // What came before we listened was heard by nobody.
      this.wakeNow();
    } catch {
      // Consumers find it by themselves a little later, and listen again then.
    }
  }

  /** Who may not listen to a subject asks now and then, which suffices. */
  #heard(error: Error | null): void {
    this.#hush();
    if (error === null) this.wakeNow();
    else this.#deaf = true;
  }

  #hush(): void {
    for (const ear of this.#ears) ear.unsubscribe();
    this.#ears = [];
  }
}
