import { type Cancel, type Clock, within } from "../domain/clock.ts";
import { makeMessage } from "../domain/message.ts";
import { requireNumber, requireOption, withDefaults } from "../domain/options.ts";
import type { BreakerReport, Report } from "../domain/report.ts";
import { queueNames } from "../domain/wire.ts";
import type { ConsumerEvent, Observer } from "../runtime/events.ts";
import { systemClock } from "../system/host.ts";
import type { Transport } from "../transports/transport.ts";
import { answerProbes } from "./probe-answers.ts";
import { breakerReport, heartbeat, outcomeReport, stillTripped, type WorkingConsumer } from "./report-of-event.ts";
import { ReportSender } from "./report-sender.ts";

export interface OfficeReportsOptions {
  /** Where reports are sent: the broker the office replays to. */
  readonly transport: Transport;
  /** How often each process says that it is at work, in milliseconds. The office takes silence of three for absence. @default 10_000 */
  readonly heartbeatMs?: number;
  /** How many reports wait at most while the broker is away; then the oldest are dropped. @default 10_000 */
  readonly maxWaiting?: number;
  /** How long `close()` waits for what is not sent yet, in milliseconds. @default 5_000 */
  readonly closeMs?: number;
  /** @default the system's clock */
  readonly clock?: Clock;
}

type ReportSettings = Required<Omit<OfficeReportsOptions, "transport">>;

export const officeReportsDefaults: ReportSettings = {
  heartbeatMs: 10_000,
  maxWaiting: 10_000,
  closeMs: 5_000,
  clock: systemClock,
};

/** An observer for any number of consumers of one process; `close` it after they have stopped. */
export interface OfficeReports extends Observer {
  event(event: ConsumerEvent): void;
  /** Finishes probes that run and sends what is waiting, as far as that is possible within `closeMs`, and ends. Calling it again waits for the same end. */
  close(): Promise<void>;
  /** Reports that were dropped because the broker was away for too long. */
  readonly dropped: number;
}

/**
 * Tells the office what became of the messages it replayed, that these consumers are at work, and how their breakers
 * are. Without it a replay is judged by what does not come back.
 *
 * @example
 * const reports = officeReports({ transport });
 * const orders = createConsumer({ transport, queue: "orders", handler, observers: [reports] });
 */
export function officeReports({ transport, ...options }: OfficeReportsOptions): OfficeReports {
  requireOption(typeof transport?.send === "function", "transport", "a transport");
  const settings = withDefaults(officeReportsDefaults, options);
  requireNumber("heartbeatMs", settings.heartbeatMs, { min: 100, max: 3_600_000 });
  requireNumber("maxWaiting", settings.maxWaiting, { min: 1, integer: true });
  requireNumber("closeMs", settings.closeMs, { min: 0 });
  return new ReportingObserver(transport, settings);
}

class ReportingObserver implements OfficeReports {
  readonly #transport: Transport;
  readonly #settings: ReportSettings;
  readonly #sender: ReportSender;
  /** Consumers at work in this process. */
  readonly #consumers = new Map<string, WorkingConsumer>();
  /** Their breakers that are not closed, as last reported. */
  readonly #tripped = new Map<string, BreakerReport>();
  /** What ends the answering of questions, by consumer. */
  readonly #answering = new Map<string, AbortController>();
  /** Answering that is not over, though it may have been ended. */
  readonly #answers = new Set<Promise<void>>();
  #nextBeat: Cancel | undefined = undefined;
  #closing: Promise<void> | undefined = undefined;

  constructor(transport: Transport, settings: ReportSettings) {
    this.#transport = transport;
    this.#settings = settings;
    const { clock, maxWaiting } = settings;
    const send = (report: Report) =>
      transport.send({ name: queueNames.reports }, makeMessage({ body: JSON.stringify(report) }));
    this.#sender = new ReportSender({ clock, maxWaiting, send });
  }

  get dropped(): number {
    return this.#sender.dropped;
  }

  event(event: ConsumerEvent): void {
    if (this.#closing !== undefined) return;
    if (event.type === "started") this.#welcome(event);
    else if (event.type === "stopped") this.#dismiss(event);
    else if (event.type === "breaker-changed") this.#reportBreaker(event);
    else this.#reportOutcome(event);
  }

  close(): Promise<void> {
    const { clock, closeMs } = this.#settings;
    this.#nextBeat?.();
    for (const name of [...this.#answering.keys()]) this.#endAnswers(name);
    this.#closing ??= within(clock, closeMs, this.#finish(), () => {}).then(() => this.#sender.close());
    return this.#closing;
  }

  /** A probe that runs may still have its answer sent, and its transport is not closed under it. */
  async #finish(): Promise<void> {
    await Promise.allSettled(this.#answers);
    await this.#sender.flush();
  }

  #welcome(event: ConsumerEvent & { readonly type: "started" }): void {
    const consumer = { ...event.consumer, queue: event.queue };
    this.#consumers.set(nameOf(event), consumer);
    this.#answerFor(nameOf(event), consumer);
    this.#nextBeat?.();
    this.#beat();
  }

  #answerFor(name: string, consumer: WorkingConsumer): void {
    this.#endAnswers(name);
    const over = new AbortController();
    this.#answering.set(name, over);
    const answer = (report: Report) => this.#sender.add(report);
    const { clock } = this.#settings;
    const answering = answerProbes({ transport: this.#transport, clock, consumer, answer, signal: over.signal });
    this.#answers.add(answering);
    void answering.finally(() => this.#answers.delete(answering));
  }

  #endAnswers(name: string): void {
    this.#answering.get(name)?.abort();
    this.#answering.delete(name);
  }

  #beat(): void {
    const { clock, heartbeatMs } = this.#settings;
    this.#nextBeat = clock.after(heartbeatMs, () => this.#beat());
    for (const consumer of this.#consumers.values()) this.#sender.add(heartbeat(consumer, clock.now()));
    for (const report of this.#tripped.values()) this.#sender.add(stillTripped(report, clock.now()));
  }

  #dismiss(event: ConsumerEvent): void {
    const { queue } = event;
    this.#consumers.delete(nameOf(event));
    this.#endAnswers(nameOf(event));
    const isWorkedOn = [...this.#consumers.values()].some((consumer) => consumer.queue === queue);
    if (isWorkedOn) return;
    for (const [name, report] of this.#tripped) if (report.queue === queue) this.#tripped.delete(name);
  }

  #reportBreaker(event: ConsumerEvent & { readonly type: "breaker-changed" }): void {
    const consumer = this.#consumers.get(nameOf(event));
    if (consumer === undefined) return;
    const report = breakerReport(event, consumer);
    const name = JSON.stringify([report.queue, report.name]);
    if (report.state === "closed") this.#tripped.delete(name);
    else this.#tripped.set(name, report);
    this.#sender.add(report);
  }

  #reportOutcome(event: ConsumerEvent): void {
    const consumer = this.#consumers.get(nameOf(event));
    const report = consumer === undefined ? null : outcomeReport(event, consumer);
    if (report !== null) this.#sender.add(report);
  }
}

function nameOf({ queue, handler }: ConsumerEvent): string {
  return JSON.stringify([queue, handler]);
}
