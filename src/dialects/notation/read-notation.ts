import type { DeadLetter } from "../../domain/dead-letter.ts";
import { isObject, type Json, type JsonObject, member } from "../json.ts";
import { readAmqp10, readAmqp091 } from "./amqp.ts";
import { readPubSub, readPulsar, readServiceBus, readSqs } from "./clouds.ts";
import { readKafka } from "./kafka.ts";
import { readNats } from "./nats.ts";
import { NotationProblem, requireText } from "./notation-problem.ts";
import { readRecord } from "./records.ts";

/** A dead letter written down as JSON, and by what id whoever wrote it knows it. */
export interface NotedLetter {
  readonly id: Json;
  readonly letter: DeadLetter;
}

const readers: ReadonlyMap<string, (fixture: JsonObject) => DeadLetter> = new Map([
  ["kafka", readKafka],
  ["amqp-0-9-1", readAmqp091],
  ["amqp-1-0", readAmqp10],
  ["amqp-1.0", readAmqp10],
  ["sqs", readSqs],
  ["servicebus", readServiceBus],
  ["pubsub", readPubSub],
  ["nats", readNats],
  ["pulsar", readPulsar],
]);

/**
 * Reads the notation of docs/reference/dialects.md: headers keep their types, bytes are bytes. A line that has the
 * letter in a member `fixture` is read too. Throws `NotationProblem` for what is no letter.
 */
export function readNotation(json: Json): NotedLetter {
  if (!isObject(json)) throw new NotationProblem("a letter is a JSON object", []);
  const fixture = member(json, "fixture") ?? json;
  if (!isObject(fixture)) throw new NotationProblem("must be an object", ["fixture"]);
  const transport = requireText(fixture, "transport");
  const read = readers.get(transport) ?? readRecord;
  return { id: member(json, "id") ?? member(fixture, "id") ?? null, letter: read(fixture) };
}
