/**
 * A queue inside one program: thumbnails are made by a service that is away for a moment, and one picture is broken.
 * Nothing outlives the program; for work that must, see the other examples.
 */
import { createConsumer, headerText, makeMessage, memoryBroker, memoryTransport, wire } from "dead-letter-office";

interface Picture {
  readonly name: string;
  readonly width: number;
}

const pictures: readonly Picture[] = [
  { name: "bridge", width: 640 },
  { name: "harbour", width: -1 },
  { name: "tower", width: 320 },
];

const broker = memoryBroker();
const transport = memoryTransport({ broker });
let [calls, settled] = [0, 0];

/** A service elsewhere that refuses its first calls. */
async function resize({ name, width }: Picture): Promise<void> {
  calls += 1;
  if (calls <= 3) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const pixels = new Uint8Array(width); // A RangeError for a width below zero.
  console.log(`${name}: ${pixels.length} wide`);
}

const consumer = createConsumer<Picture>({
  transport,
  queue: "pictures",
  handler: ({ payload }) => resize(payload),
  retry: { backoff: { strategy: "exponential", initialMs: 50, maxMs: 500 } },
  breaker: { rule: { kind: "consecutive", failures: 3 }, recoveryMs: 200, successesToClose: 1 },
  observers: [
    {
      event(event) {
        if (event.type === "breaker-changed") console.log(`breaker ${event.phase}`);
        if (event.type !== "attempt-succeeded" && event.type !== "dead-lettered") return;
        settled += 1;
        if (settled === pictures.length) void consumer.stop();
      },
    },
  ],
});

for (const picture of pictures) {
  await transport.send({ name: "pictures" }, makeMessage({ body: JSON.stringify(picture) }));
}
await consumer.start(); // until it is stopped

for (const queue of broker.queues()) {
  for (const { body, headers } of broker.messages(queue)) {
    console.log(`${queue}: ${Buffer.from(body)}, attempt ${headerText(headers, wire.attempt)}`);
  }
}
