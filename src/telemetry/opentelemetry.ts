import {
  type Attributes,
  type Context,
  context,
  type Link,
  type Meter,
  metrics,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from "@opentelemetry/api";
import { type Header, headerText, type Message } from "../domain/message.ts";
import { withDefaults } from "../domain/options.ts";
import type { ConsumerEvent, Observer } from "../runtime/events.ts";

export interface OpenTelemetryOptions {
  /** What `messaging.system` says: "rabbitmq", "kafka", "postgresql" … @default "dead-letter-office" */
  readonly system?: string;
}

export const openTelemetryDefaults: Required<OpenTelemetryOptions> = { system: "dead-letter-office" };

const scope = "dead-letter-office";

/**
 * Makes spans, counters and a histogram of a consumer's events, by OpenTelemetry's messaging conventions, through
 * whatever SDK the process has set up. Pass it as one of a consumer's `observers`.
 *
 * The first attempt is a child of the span that sent the message. A retry, which may come hours later, is a trace of
 * its own, linked to that span.
 */
export function openTelemetry(options?: OpenTelemetryOptions): Observer {
  const { system } = withDefaults(openTelemetryDefaults, options);
  const tracer = trace.getTracer(scope);
  const count = instruments(metrics.getMeter(scope), system);
  const spans = new WeakMap<Message, Span>();

  return {
    event(event) {
      count(event);
      const span = "message" in event ? spans.get(event.message) : undefined;
      if (span && "message" in event && annotate(span, event)) {
        spans.delete(event.message);
        span.end();
      }
    },
    around({ message, attempt, queue, handler }, run) {
      const { parent, links } = origin(message, attempt);
      const attributes = { ...destination(system, queue), "dlo.attempt": attempt, "dlo.handler": handler };
      const span = tracer.startSpan(`process ${queue}`, { kind: SpanKind.CONSUMER, attributes, links }, parent);
      spans.set(message, span);
      return context.with(trace.setSpan(parent, span), run);
    },
  };
}

/** Where a message came from: its parent for the first attempt, a link for those that follow. */
function origin({ headers }: Message, attempt: number): { parent: Context; links: Link[] } {
  const sent = propagation.extract(ROOT_CONTEXT, headers, headerGetter);
  if (attempt === 1) return { parent: sent, links: [] };
  const sender = trace.getSpanContext(sent);
  return { parent: ROOT_CONTEXT, links: sender ? [{ context: sender }] : [] };
}

const headerGetter: TextMapGetter<readonly Header[]> = {
  get: (headers, name) => headerText(headers, name),
  keys: (headers) => headers.map(({ name }) => name),
};

function destination(system: string, queue: string): Attributes {
  return {
    "messaging.system": system,
    "messaging.destination.name": queue,
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
  };
}

/** Adds what an event says to its span. True: the attempt is over, and so is the span. */
function annotate(span: Span, event: ConsumerEvent): boolean {
  switch (event.type) {
    case "log":
      span.addEvent(event.text, { level: event.level });
      return false;
    case "attempt-failed":
      span.setAttributes({ "error.type": event.errorClass, "dlo.failure.kind": event.kind });
      span.recordException({ name: event.errorClass, message: event.errorMessage });
      span.setStatus({ code: SpanStatusCode.ERROR, message: event.errorMessage });
      return true;
    case "lease-lost":
      span.setStatus({ code: SpanStatusCode.ERROR, message: "the message's lease was lost" });
      return true;
    case "attempt-succeeded":
    case "retried":
    case "parked":
    case "dead-lettered":
      return true;
    default:
      return false;
  }
}

/** One instrument for each thing worth counting, and the function that feeds them. */
function instruments(meter: Meter, system: string): (event: ConsumerEvent) => void {
  const consumed = meter.createCounter("messaging.client.consumed.messages", { unit: "{message}" });
  const duration = meter.createHistogram("messaging.process.duration", { unit: "s" });
  const retries = meter.createCounter("dlo.retries", { unit: "{message}" });
  const deadLetters = meter.createCounter("dlo.dead_letters", { unit: "{message}" });
  const duplicates = meter.createCounter("dlo.duplicates", { unit: "{message}" });
  const transitions = meter.createCounter("dlo.breaker.transitions", { unit: "{transition}" });

  return (event) => {
    const labels = destination(system, event.queue);
    if (event.type === "attempt-started") consumed.add(1, labels);
    if (event.type === "attempt-succeeded") duration.record(event.durationMs / 1_000, labels);
    if (event.type === "attempt-failed") {
      duration.record(event.durationMs / 1_000, { ...labels, "error.type": event.errorClass });
    }
    if (event.type === "retried") retries.add(1, { ...labels, "dlo.because": event.because });
    if (event.type === "dead-lettered") deadLetters.add(1, { ...labels, "dlo.reason": event.reason });
    if (event.type === "duplicate") duplicates.add(1, { ...labels, "dlo.treatment": event.treatment });
    if (event.type === "breaker-changed") transitions.add(1, { ...labels, "dlo.phase": event.phase });
  };
}
