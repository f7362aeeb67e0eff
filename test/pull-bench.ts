import { type Delivery, done, type Message, makeMessage, type Verdict } from "../src/domain/message.ts";
import { fakeHost } from "../src/testing/fake-host.ts";
import { memoryCapabilities } from "../src/transports/memory.ts";
import { memoryBroker } from "../src/transports/memory-broker.ts";
import { memoryLink } from "../src/transports/memory-link.ts";
import type { MemoryReceipt } from "../src/transports/memory-queue.ts";
import type { PullLink } from "../src/transports/pull-link.ts";
import { type PullTransportOptions, pullTransport } from "../src/transports/pull-transport.ts";
import type { ConsumeOptions, Handle, Incident } from "../src/transports/transport.ts";

export type Link = PullLink<MemoryReceipt>;
/** Changes what a link does, given the link as it is. */
type Twist = (link: Link) => Partial<Link>;

export const queue = { name: "orders" };
const letters = { name: "orders.dlq" };
export const lost = (): Promise<never> => Promise.reject(new Error("reply lost"));

/** A transport over a broker in memory, in fake time, whose link may be twisted. */
export function setup({
  twist = () => ({}),
  atomic = true,
  transport: options = {},
}: {
  twist?: Twist;
  atomic?: boolean;
  transport?: Partial<PullTransportOptions>;
} = {}) {
  const host = fakeHost();
  const broker = memoryBroker({ clock: host.clock });
  const plain = memoryLink(broker, { atomic });
  const transport = pullTransport(
    { ...plain, ...twist(plain) },
    { broker: "memory", capabilities: memoryCapabilities(atomic), host, pollMs: 100, ...options },
  );
  const send = (...bodies: string[]) => {
    for (const body of bodies) broker.send(queue, makeMessage({ body }));
  };
  return { host, clock: host.clock, broker, transport, send, ...consuming(transport) };
}

function consuming(transport: ReturnType<typeof pullTransport>) {
  const seen: Delivery[] = [];
  const incidents: Incident[] = [];
  const stop = new AbortController();
  const consume = (handle: Handle, options: Partial<ConsumeOptions> = {}) =>
    transport.consume(
      queue,
      (delivery) => {
        seen.push(delivery);
        return handle(delivery);
      },
      {
        concurrency: 1,
        prefetch: options.concurrency ?? 1,
        order: "none",
        leaseMs: 30_000,
        returnDelayMs: 5_000,
        signal: stop.signal,
        report: (incident) => incidents.push(incident),
        ...options,
      },
    );
  const kinds = () => incidents.map(({ kind }) => kind);
  return { seen, incidents, kinds, stop, consume, bodies: () => seen.map(({ message }) => text(message)) };
}

export const text = ({ body }: Message) => Buffer.from(body).toString();
export const allDone = () => Promise.resolve(done);
export const toLetters = async ({ message }: Delivery): Promise<Verdict> => ({
  kind: "dead-letter",
  to: letters,
  message,
});

/** Does as the link does, but loses the first replies. */
export function losingReplies<Args extends unknown[], Answer>(act: (...args: Args) => Promise<Answer>, count = 1) {
  let left = count;
  return async (...args: Args): Promise<Answer> => {
    const answer = await act(...args);
    if (left === 0) return answer;
    left -= 1;
    return lost();
  };
}
