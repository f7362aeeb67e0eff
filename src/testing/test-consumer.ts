import { headerText, type Message, type MessageParts, makeMessage, textHeader } from "../domain/message.ts";
import { queueNames } from "../domain/wire.ts";
import type { HandlerContext } from "../runtime/attempt.ts";
import { type Consumer, createConsumer } from "../runtime/consumer.ts";
import type { ConsumerOptions } from "../runtime/consumer-options.ts";
import type { ConsumerEvent } from "../runtime/events.ts";
import { memoryBlockedKeys } from "../stores/memory-blocked-keys.ts";
import { memoryTransport } from "../transports/memory.ts";
import { type MemoryBroker, memoryBroker } from "../transports/memory-broker.ts";
import type { FakeClock } from "./fake-clock.ts";
import { fakeHost } from "./fake-host.ts";

/** What can become of a message. "dead" is any dead letter, "quarantined" only poison. */
export type Fate = "done" | "retrying" | "dead" | "quarantined" | "parked";

export type TestConsumerOptions<Payload, Tx> = Omit<ConsumerOptions<Payload, Tx>, "transport" | "queue" | "host"> & {
  /** @default "test" */
  readonly queue?: string;
};

/** A consumer on a broker in memory, in time that passes when you say so. */
export interface TestConsumer {
  readonly clock: FakeClock;
  readonly broker: MemoryBroker;
  readonly consumer: Consumer;
  /** All that happened, oldest first. */
  readonly events: readonly ConsumerEvent[];
  /** Sends a message to the consumer's queue; what it returns is what `waitFor` takes. */
  send(parts: MessageParts): Message;
  /** Sends `value` as JSON. */
  sendJson(value: unknown, parts?: Omit<MessageParts, "body">): Message;
  /**
   * Lets time pass until the message has come to that fate, and gives the message as it then is (a dead letter with all
   * its headers). Rejects, saying what did happen, if it has not within `withinMs` of fake time.
   */
  waitFor(message: Message, fate: Fate, options?: { readonly withinMs?: number }): Promise<Message>;
  /** The next `times` attempts fail with `error` before the handler runs. */
  failNext(times: number, error: unknown): void;
  /** The next `times` attempts never come to an end: the time limit has to end them. */
  hangNext(times: number): void;
  /** The dead letters of the consumer's queue. */
  deadLetters(): readonly Message[];
  stop(): Promise<void>;
}

const identity = "x-test-id";
/** Fake time passes in steps, so that what is waited for is noticed soon after it happened. */
const stepMs = 100;
const hourMs = 3_600_000;

/**
 * Runs your handler as it runs in production, with retries, dead letters, breaker and inbox, in a test.
 *
 * @example
 * const { sendJson, waitFor, failNext } = testConsumer({ handler: placeOrder });
 * failNext(5, new Error("database is down"));
 * const order = sendJson({ id: 7 });
 * await waitFor(order, "dead");
 */
export function testConsumer<Payload = unknown, Tx = undefined>(
  options: TestConsumerOptions<Payload, Tx>,
): TestConsumer {
  const { queue = "test", handler, observers = [], ...rest } = options;
  const host = fakeHost();
  const { clock } = host;
  const broker = memoryBroker({ clock });
  const events: ConsumerEvent[] = [];
  const injected: (() => Promise<void>)[] = [];
  const consumer = createConsumer<Payload, Tx>({
    ...(rest.order === "key" && { blockedKeys: memoryBlockedKeys({ clock }) }),
    ...rest,
    queue,
    host,
    transport: memoryTransport({ broker, host }),
    observers: [{ event: (event) => events.push(event) }, ...observers],
    async handler(context: HandlerContext<Payload, Tx>) {
      await injected.shift()?.();
      await handler(context);
    },
  });
  void consumer.start();

  const send = (parts: MessageParts): Message => {
    const plain = makeMessage(parts);
    const message = { ...plain, headers: [...plain.headers, textHeader(identity, host.newId())] };
    broker.send({ name: queue }, message);
    return message;
  };

  return {
    ...{ clock, broker, consumer, events, send },
    sendJson: (value, parts) => send({ ...parts, body: JSON.stringify(value) }),
    async waitFor(message, fate, { withinMs = hourMs } = {}) {
      for (const end = clock.now() + withinMs; ; await clock.advance(stepMs)) {
        const fates = fatesOf(events, message);
        if (fates.includes(fate)) return whereIs(broker, message) ?? message;
        if (clock.now() >= end) throw new Error(complaint(fate, fates, withinMs));
      }
    },
    failNext: (times, error) => injected.push(...Array.from({ length: times }, () => () => Promise.reject(error))),
    hangNext: (times) => injected.push(...Array.from({ length: times }, () => () => new Promise<void>(() => {}))),
    deadLetters: () => broker.messages(queueNames.deadLetters(queue)),
    stop: () => consumer.stop(),
  };
}

function fatesOf(events: readonly ConsumerEvent[], message: Message): Fate[] {
  const id = idOf(message);
  return events.flatMap((event) => ("message" in event && idOf(event.message) === id ? fateIn(event) : []));
}

function fateIn(event: ConsumerEvent): Fate[] {
  if (event.type === "attempt-succeeded") return ["done"];
  if (event.type === "duplicate" && event.treatment === "ignore") return ["done"];
  if (event.type === "retried") return ["retrying"];
  if (event.type === "dead-lettered") return ["dead"];
  if (event.type === "quarantined") return ["quarantined"];
  return event.type === "parked" ? ["parked"] : [];
}

/** The message as it is now, wherever it went. */
function whereIs(broker: MemoryBroker, message: Message): Message | undefined {
  const id = idOf(message);
  return broker
    .queues()
    .flatMap((name) => broker.messages(name))
    .find((one) => idOf(one) === id);
}

function idOf({ headers }: Message): string | undefined {
  return headerText(headers, identity);
}

function complaint(fate: Fate, fates: readonly Fate[], withinMs: number): string {
  const story = fates.length === 0 ? "nothing happened to it" : `it was ${fates.join(", then ")}`;
  return `The message was not ${fate} within ${withinMs} ms of fake time: ${story}.`;
}
