import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { KafkaBrokerAddress } from "../../src/transports/kafka/driver.ts";
import { die, type Failpoint, failpointsOf } from "./failpoint.ts";

/**
 * What a consumer does on Kafka, as it is seen on the wire. Its first commit says what it has taken into hand; from the
 * second on they say what it is done with.
 */
export const kafkaFailpoints = failpointsOf({
  "make-topic": ["before", "after"],
  join: ["after"],
  sync: ["after"],
  take: ["before", "during", "after"],
  charge: ["before", "during", "after"],
  retry: ["before", "during", "after"],
  "dead-letter": ["before", "during", "after"],
  acknowledge: ["before", "during", "after"],
});

const apis = { produce: 0, commit: 8, join: 11, sync: 14, makeTopics: 19 } as const;

/** The same broker by a way through this very process, which ends at `failpoint`. */
export async function armedKafka(
  broker: KafkaBrokerAddress,
  failpoint: Failpoint,
): Promise<{ readonly address: KafkaBrokerAddress; close(): void }> {
  const steps = new Steps();
  const server = createServer((client) => relay(client, connect(broker.port, broker.host), steps, failpoint));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { address: { host: "127.0.0.1", port }, close: () => server.close() };
}

function relay(client: Socket, broker: Socket, steps: Steps, { step, moment }: Failpoint): void {
  for (const [from, to] of [[client, broker] as const, [broker, client] as const]) {
    from.setNoDelay(true);
    from.on("error", () => {}).on("close", () => to.destroy());
  }
  /** The number of the request after whose answer it ends. */
  let awaited: number | null = null;
  const requests = new Frames();
  client.on("data", (bytes) => {
    const whole = requests.push(bytes);
    const fatal = whole.find((request) => steps.of(request).includes(step));
    if (fatal !== undefined && moment === "before") die();
    if (fatal !== undefined && moment === "after") awaited ??= fatal.readInt32BE(8);
    broker.write(Buffer.concat(whole), () => fatal !== undefined && moment === "during" && setImmediate(die));
  });
  const answers = new Frames();
  broker.on("data", (bytes) => {
    const whole = answers.push(bytes);
    if (whole.some((answer) => answer.readInt32BE(4) === awaited)) die();
    client.write(Buffer.concat(whole));
  });
}

/** What requests are to a consumer. */
class Steps {
  #commits = 0;

  of(request: Buffer): readonly string[] {
    const api = request.readInt16BE(4);
    if (api === apis.makeTopics) return ["make-topic"];
    if (api === apis.join) return ["join"];
    if (api === apis.sync) return ["sync"];
    if (api === apis.commit) return [this.#commits++ === 0 ? "take" : "acknowledge"];
    if (api !== apis.produce) return [];
    if (request.includes(".dlq")) return ["dead-letter"];
    // Both go by the same topics. What comes back is charged before it can fail.
    return request.includes(".retry.") ? ["charge", "retry"] : [];
  }
}

/** Cuts what one side says into requests or answers, each with its length before it. */
class Frames {
  #rest: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const whole: Buffer[] = [];
    while (this.#rest.length >= 4 && this.#rest.length >= 4 + this.#rest.readInt32BE(0)) {
      const length = 4 + this.#rest.readInt32BE(0);
      whole.push(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
    }
    return whole;
  }
}
