import { context, metrics, propagation, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeMessage } from "../domain/message.ts";
import { createConsumer } from "../runtime/consumer.ts";
import { fakeHost } from "../testing/fake-host.ts";
import { memoryTransport } from "../transports/memory.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import { openTelemetry } from "./opentelemetry.ts";

const spans = new InMemorySpanExporter();
const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: figures, exportIntervalMillis: 3_600_000 });
const meters = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  metrics.setGlobalMeterProvider(meters);
});

afterAll(async () => {
  await meters.shutdown();
  for (const api of [context, propagation, trace, metrics]) api.disable();
});

const traceId = "0af7651916cd43dd8448eb211c80319c";
const senderSpan = "b7ad6b7169203331";

it("traces the first attempt as the sender's child and a retry as a trace of its own, linked to the sender", async () => {
  const host = fakeHost();
  const { clock } = host;
  const broker = memoryBroker({ clock });
  const active: (string | undefined)[] = [];
  const consumer = createConsumer({
    transport: memoryTransport({ broker, host }),
    queue: "orders",
    async handler({ attempt }) {
      active.push(trace.getActiveSpan()?.spanContext().spanId);
      if (attempt === 1) throw Object.assign(new Error("down"), { code: "ECONNRESET" });
    },
    retry: { backoff: { strategy: "fixed", delayMs: 1_000, jitter: "none" } },
    host,
    observers: [openTelemetry({ system: "memory" })],
  });
  broker.send(
    { name: "orders" },
    makeMessage({ body: "{}", headers: { traceparent: `00-${traceId}-${senderSpan}-01` } }),
  );
  void consumer.start();
  await clock.advance(5_000);

  const [first, second] = spans.getFinishedSpans();
  expect(active).toEqual([first?.spanContext().spanId, second?.spanContext().spanId]);
  expect(first?.name).toBe("process orders");
  expect(first?.spanContext().traceId).toBe(traceId);
  expect(first?.parentSpanContext?.spanId).toBe(senderSpan);
  expect(first?.status).toEqual({ code: SpanStatusCode.ERROR, message: "down" });
  expect(first?.attributes).toMatchObject({ "messaging.system": "memory", "error.type": "Error", "dlo.attempt": 1 });
  expect(second?.spanContext().traceId).not.toBe(traceId);
  expect(second?.links[0]?.context.spanId).toBe(senderSpan);
  expect(second?.status.code).toBe(SpanStatusCode.UNSET);

  await reader.forceFlush();
  const counted = figures.getMetrics().flatMap((resource) => resource.scopeMetrics.flatMap((scope) => scope.metrics));
  const sum = (name: string) => {
    const found = counted.find(({ descriptor }) => descriptor.name === name);
    return found?.dataPoints.reduce((total, point) => total + (point.value as number), 0);
  };
  expect(sum("messaging.client.consumed.messages")).toBe(2);
  expect(sum("dlo.retries")).toBe(1);
  await consumer.stop();
});
