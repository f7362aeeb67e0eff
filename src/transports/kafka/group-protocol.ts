import type { TopicPartition } from "./driver.ts";

/** The name under which members agree on how lanes are assigned. */
export const protocolName = "dlo-lanes";

const version = 0;

/** What a member says when it joins: the topics, as every client of Kafka says them, and what only we read. */
export function encodeSubscription(topics: readonly string[], userData: object): Buffer {
  return Buffer.concat([
    int16(version),
    int32(topics.length),
    ...topics.flatMap(encodeText),
    ...encodeBytes(Buffer.from(JSON.stringify(userData))),
  ]);
}

export function decodeSubscription(bytes: Buffer): { readonly topics: readonly string[]; readonly userData: unknown } {
  const reader = new Reader(bytes, 2);
  const topics = reader.list(() => reader.text());
  return { topics, userData: readJson(reader.bytes()) };
}

/** What a member gets, as every client of Kafka reads it, so that the broker's own tools show who has what. */
export function encodeAssignment(partitions: readonly TopicPartition[]): Buffer {
  const topics = new Map<string, number[]>();
  for (const { topic, partition } of partitions) topics.set(topic, [...(topics.get(topic) ?? []), partition]);
  const encoded = Array.from(topics, ([topic, numbers]) => [
    ...encodeText(topic),
    int32(numbers.length),
    ...numbers.map(int32),
  ]);
  return Buffer.concat([int16(version), int32(topics.size), ...encoded.flat(), int32(-1)]);
}

export function decodeAssignment(bytes: Buffer): readonly TopicPartition[] {
  if (bytes.length === 0) return [];
  const reader = new Reader(bytes, 2);
  const topics = reader.list(() => {
    const topic = reader.text();
    return reader.list(() => ({ topic, partition: reader.int32() }));
  });
  return topics.flat();
}

/** Reads what the protocol's own version of everything is made of. */
class Reader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  int32(): number {
    this.#at += 4;
    return this.#bytes.readInt32BE(this.#at - 4);
  }

  text(): string {
    const length = this.#bytes.readInt16BE(this.#at);
    this.#at += 2 + length;
    return this.#bytes.toString("utf8", this.#at - length, this.#at);
  }

  bytes(): Buffer {
    const length = Math.max(0, this.int32());
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  list<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.int32() }, read);
  }
}

/** A stranger's data is no reason to fail. */
function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function encodeText(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return [int16(bytes.length), bytes];
}

function encodeBytes(bytes: Buffer): Buffer[] {
  return [int32(bytes.length), bytes];
}
