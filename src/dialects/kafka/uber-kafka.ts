import { textOf as utf8 } from "../../domain/text-of.ts";
import { readProtobuf } from "../bytes.ts";
import type { Dialect, Facts } from "../dialect.ts";
import type { LetterView } from "../letter-view.ts";
import { toPartition } from "../numbers.ts";

/** Uber's libraries: where it came from is a protobuf in the record's key, the original key inside. */
export const uberKafka: Dialect = { id: "uber-kafka", read };

const topicName = /^[\w.-]{1,249}$/;

function read({ letter }: LetterView): Facts | null {
  const fields =
    letter.broker === "kafka" && letter.message.key !== null ? readProtobuf(letter.message.key) : undefined;
  const name = fields?.get(2);
  const topic = name instanceof Uint8Array ? utf8(name) : null;
  if (fields === undefined || topic === null || !topicName.test(topic)) return null;
  const [partition = 0n, offset = 0n] = [3, 4].map((number) => fields.get(number));
  const data = fields.get(6);
  const isMetadata = [...fields.keys()].every((number) => number <= 7) && fields.has(5) && data instanceof Uint8Array;
  if (!isMetadata || typeof partition !== "bigint" || typeof offset !== "bigint") return null;
  return {
    source: topic,
    partition: toPartition(partition),
    offset,
    lastFailedAt: letter.timestamp,
    orderingKey: utf8(data),
    destination: topic,
  };
}
