import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type AmqpFrame, AmqpFrames } from "../faults/amqp-frames.ts";
import { die, type Failpoint, failpointsOf } from "./failpoint.ts";

/** What a consumer does on RabbitMQ, as it is seen on the wire. An acknowledgement has no answer to die after. */
export const amqpFailpoints = failpointsOf({
  take: ["during", "after"],
  charge: ["before", "during", "after"],
  "make-queue": ["before", "after"],
  retry: ["before", "during", "after"],
  "dead-letter": ["before", "during", "after"],
  acknowledge: ["before", "during"],
});

const methods = {
  declare: "50.10",
  declared: "50.11",
  publish: "60.40",
  deliver: "60.60",
  acknowledge: "60.80",
} as const;

/** The same broker by a way through this very process, which ends at `failpoint`. */
export async function armedAmqp(url: string, failpoint: Failpoint): Promise<{ url: string; close(): void }> {
  const target = new URL(url);
  const server = createServer((client) => {
    const broker = connect(Number(target.port), target.hostname);
    relay(client, broker, new ArmedConversation(failpoint));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: own.href, close: () => server.close() };
}

function relay(client: Socket, broker: Socket, conversation: ArmedConversation): void {
  for (const [from, to, side] of [[client, broker, "client"] as const, [broker, client, "broker"] as const]) {
    const frames = new AmqpFrames(side);
    from.setNoDelay(true);
    from.on("error", () => {}).on("close", () => to.destroy());
    from.on("data", (bytes: Buffer) => {
      const whole = frames.push(bytes);
      const moment = whole.map((frame) => conversation.pass(side, frame)).find((found) => found !== null);
      if (moment === "before") die();
      to.write(Buffer.concat(whole.map((frame) => frame.bytes)), () => moment === "during" && setImmediate(die));
    });
  }
}

/** Follows one connection up to the moment at which the process is to end. */
class ArmedConversation {
  readonly #failpoint: Failpoint;
  /** Messages published so far, by channel: the broker confirms them by their number. */
  readonly #published = new Map<number, number>();
  /** The answer after which it ends. */
  #awaited: ((frame: AmqpFrame) => boolean) | null = null;

  constructor(failpoint: Failpoint) {
    this.#failpoint = failpoint;
  }

  /** Whether this frame is where it ends: before it is passed on, when it has been, or null. */
  pass(side: "client" | "broker", frame: AmqpFrame): "before" | "during" | null {
    if (side === "broker") return this.#hear(frame);
    if (frame.method === methods.publish) this.#count(frame.channel);
    if (stepOf(frame) !== this.#failpoint.step) return null;
    const { moment } = this.#failpoint;
    if (moment !== "after") return moment;
    this.#awaited ??= answerTo(frame, this.#published.get(frame.channel) ?? 0);
    return null;
  }

  /** A broker's word has arrived, and this process has not heard it yet. */
  #hear(frame: AmqpFrame): "before" | "during" | null {
    if (this.#awaited?.(frame)) return "before";
    if (frame.method !== methods.deliver || this.#failpoint.step !== "take") return null;
    return this.#failpoint.moment === "during" ? "before" : "during";
  }

  #count(channel: number): void {
    this.#published.set(channel, (this.#published.get(channel) ?? 0) + 1);
  }
}

function stepOf({ method, bytes }: AmqpFrame): string | undefined {
  if (method === methods.acknowledge) return "acknowledge";
  if (method === methods.declare) return isPassive(bytes) ? undefined : "make-queue";
  if (method !== methods.publish) return undefined;
  const queue = routingKey(bytes);
  if (queue.includes(".retry.")) return "retry";
  return queue.includes(".dlq") ? "dead-letter" : "charge";
}

/** Behind the head, class, method and a reserved number: an exchange's name, which is empty, and the queue's. */
function routingKey(frame: Buffer): string {
  const at = 14;
  return frame.subarray(at + 1, at + 1 + (frame[at] ?? 0)).toString();
}

/** Behind a queue's name: whether it is only asked for. */
function isPassive(frame: Buffer): boolean {
  const flags = frame[14 + (frame[13] ?? 0)] ?? 0;
  return (flags & 1) === 1;
}

function answerTo(asked: AmqpFrame, number: number): (frame: AmqpFrame) => boolean {
  if (asked.method === methods.declare) {
    return ({ method, channel }) => method === methods.declared && channel === asked.channel;
  }
  return ({ method, channel, bytes }) => {
    if (method !== methods.acknowledge || channel !== asked.channel) return false;
    const confirmed = Number(bytes.readBigUInt64BE(11));
    return bytes[19] === 1 ? confirmed >= number : confirmed === number;
  };
}
