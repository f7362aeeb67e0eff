import { type Delivery, headerText, type Message, textHeader } from "../../domain/message.ts";
import type { Handle, Transport } from "../transport.ts";
import type { NatsConnection } from "./connection.ts";
import { advisorySubjects, orNull, streamOf } from "./facts.ts";
import { parsedObject } from "./json-object.ts";
import { decodeMessage } from "./message-codec.ts";

/** The stream in which advisories are kept where nobody else keeps them. */
const advisoryStream = "DLO-ADVISORIES";
/** Longer than any holiday during which nobody drains. */
const keptNs = 30 * 86_400e9;

/**
 * The same transport, to which an advisory is a dead letter: the message that it is about, fetched from its stream before
 * anything else may delete it there, with what NATS says of it as a property.
 */
export function withAdvisories(transport: Transport, connection: NatsConnection): Transport {
  const { broker, capabilities, shortcomings } = transport;
  return {
    ...{ broker, capabilities, ...(shortcomings === undefined ? {} : { shortcomings }) },
    send: (to, message, options) => transport.send(to, message, options),
    async consume(from, handle, options) {
      if (!from.name.startsWith(advisorySubjects.all)) return transport.consume(from, handle, options);
      await keepAdvisories(connection, from.name);
      return transport.consume(from, fetchingFirst(connection, handle), options);
    },
    close: () => transport.close(),
  };
}

/** They are said once, to whoever listens: a stream listens always. */
async function keepAdvisories(connection: NatsConnection, subject: string): Promise<void> {
  if ((await streamOf(connection, subject)) !== null) return;
  const subjects = [advisorySubjects.gaveUp, advisorySubjects.ended];
  await connection.manage((manager) =>
    manager.streams.add({ name: advisoryStream, subjects, storage: "file", max_age: keptNs }),
  );
}

function fetchingFirst(connection: NatsConnection, handle: Handle): Handle {
  return async (delivery) => handle(withMessage(delivery, await meantByAdvisory(connection, delivery.message)));
}

function withMessage(delivery: Delivery, message: Message): Delivery {
  const { source, position, redelivered, deliveryCount } = delivery;
  return {
    ...{ message, source, position, redelivered, deliveryCount },
    charge: (headers) => delivery.charge(headers),
    extend: (ms) => delivery.extend(ms),
  };
}

/** The message that an advisory is about; the advisory itself where that is gone, or it is about none. */
export async function meantByAdvisory(connection: NatsConnection, advisory: Message): Promise<Message> {
  const text = Buffer.from(advisory.body).toString();
  const { stream, stream_seq: seq } = parsedObject(text);
  if (typeof stream !== "string" || typeof seq !== "number") return advisory;
  const stored = await orNull(connection.manage((manager) => manager.streams.getMessage(stream, { seq })));
  if (stored === null) return advisory;
  const { subject, time } = stored;
  const { message } = decodeMessage(stored, subject);
  const facts = { "Nats-Stream": stream, "Nats-Subject": subject, "Nats-Sequence": String(seq) };
  const place = { ...facts, "Nats-Time-Stamp": time.toISOString() };
  const added = Object.entries(place).filter(([name]) => headerText(message.headers, name) === undefined);
  return {
    ...message,
    headers: [...message.headers, ...added.map(([name, value]) => textHeader(name, value))],
    properties: [...message.properties, textHeader("advisory", text)],
  };
}
