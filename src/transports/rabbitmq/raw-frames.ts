import type { Channel, ConfirmChannel } from "amqplib";
import { OfficeError } from "../../domain/errors.ts";
import { ByteWriter } from "./bytes.ts";

/**
 * The one place that reaches behind amqplib's interface: it lets the properties of messages pass as bytes in both
 * directions, so that nothing is decoded on the way that could not be encoded again.
 *
 * Three methods of an open connection are replaced. `recvFrame` gives the next frame; of frames with properties we give
 * the bytes. `sendMessage` writes a message and `sendMethod` an instruction; where they are given our bytes, those are
 * written as they are. All else is amqplib's own. What it must look like is checked at every connection, so that a later
 * version is refused, not misread.
 */
interface Innards {
  /** Received, and not yet given out as frames. */
  rest: Buffer;
  readonly frameMax: number;
  readonly channels: readonly ({ readonly buffer: { write(bytes: Buffer): boolean } } | null)[];
  sentSinceLastCheck: boolean;
  readonly stream: { destroy(error: Error): unknown };
  recvFrame(): unknown;
  sendMethod(channel: number, method: unknown, fields: unknown): boolean;
  sendMessage(
    channel: number,
    method: unknown,
    fields: unknown,
    id: unknown,
    properties: unknown,
    body: Buffer,
  ): boolean;
}

/** How a channel gives things to its connection, and where it notes whom to tell of the broker's answer. */
interface SendingChannel {
  readonly ch: number;
  sendImmediately(method: unknown, fields: unknown): boolean;
  sendMessage(fields: unknown, properties: unknown, body: Buffer): boolean;
  pushConfirmCallback(callback: (error: unknown) => void): void;
}

const methodFrame = 1;
const propertiesFrame = 2;
const bodyFrame = 3;
const frameEnd = 206;
/** Type, channel and length before, the end mark behind. */
const frameOverhead = 8;
const basicClass = 60;
const publishMethod = 40;
const acknowledgeMethod = 80;
const mandatoryFlag = 1;
const noName = Buffer.alloc(0);
/** Before the properties themselves: class, weight and the length of the body. */
const propertiesOffset = 12;

/** Beyond this, parts of a message are written one by one rather than copied together. */
const copyLimit = 16_384;

/** From now on this connection's messages have bytes as `properties`, and `publishRaw` works on its channels. */
export function passPropertiesAsBytes(connection: unknown): void {
  const innards = requireInnards(connection);
  const { recvFrame, sendMethod, sendMessage } = innards;
  innards.recvFrame = function (this: Innards) {
    return takePropertiesFrame(this) ?? recvFrame.call(this);
  };
  innards.sendMethod = function (this: Innards, channel, method, fields) {
    if (Buffer.isBuffer(fields)) return write(this, channel, fields);
    return sendMethod.call(this, channel, method, fields);
  };
  innards.sendMessage = function (this: Innards, channel, method, fields, id, properties, body) {
    // amqplib itself has no properties in bytes: then it is ours, and `fields` is all of it.
    if (Buffer.isBuffer(properties)) return writePublish(this, channel, fields as RawMessage);
    return sendMessage.call(this, channel, method, fields, id, properties, body);
  };
}

/** How many bytes of properties and headers a message may have on this connection. */
export function propertiesLimit(connection: unknown): number {
  return requireInnards(connection).frameMax - frameOverhead - propertiesOffset;
}

/** Ends a connection that no longer answers, without saying goodbye. */
export function dropConnection(connection: unknown): void {
  requireInnards(connection).stream.destroy(new Error("The connection was given up."));
}

/** A message with properties and headers in AMQP's own encoding. */
export interface RawMessage {
  /** "": the default one, which knows each queue by its name. */
  readonly exchange: string;
  /** The queue, or the routing key where another exchange is named. */
  readonly to: string;
  readonly properties: Buffer;
  readonly body: Buffer;
  /** Whether the broker gives it back if no queue takes it. */
  readonly mandatory: boolean;
}

/**
 * Sends a message. `answered` is called once: with null when the broker has dealt
 * with it, otherwise with why it will not.
 */
export function publishRaw(channel: ConfirmChannel, message: RawMessage, answered: (error: unknown) => void): void {
  // As amqplib's own `publish` does it, in this order: a channel that is closed throws before anybody waits for it.
  const sending = channel as unknown as SendingChannel;
  sending.sendMessage(message, message.properties, message.body);
  sending.pushConfirmCallback(answered);
}

/** Which delivery, or which and all before it. */
export interface Acknowledgement {
  readonly tag: number;
  readonly multiple: boolean;
}

/** Acknowledges deliveries, all of them in one go: written one by one, they would cost more than everything else. */
export function acknowledgeRaw(channel: Channel, acknowledgements: readonly Acknowledgement[]): void {
  const sending = channel as unknown as SendingChannel;
  const frames = new ByteWriter(acknowledgements.length * (frameOverhead + 13));
  for (const { tag, multiple } of acknowledgements) {
    putFrame(frames, methodFrame, sending.ch, 13);
    frames.short(basicClass).short(acknowledgeMethod);
    // Numbers of deliveries fit into a double, so two halves do; a bigint for each would be slower than the rest of it.
    frames.long(Math.floor(tag / 2 ** 32)).long(tag % 2 ** 32);
    frames.octet(multiple ? 1 : 0).octet(frameEnd);
  }
  sending.sendImmediately(acknowledgeMethod, frames.bytes);
}

function requireInnards(connection: unknown): Innards {
  const innards = connection as Partial<Innards> | null;
  const fits =
    typeof innards?.recvFrame === "function" &&
    typeof innards.sendMethod === "function" &&
    typeof innards.sendMessage === "function" &&
    Buffer.isBuffer(innards.rest) &&
    typeof innards.frameMax === "number" &&
    Array.isArray(innards.channels) &&
    typeof innards.stream?.destroy === "function";
  if (fits) return innards as Innards;
  throw new OfficeError(
    "MISSING_CLIENT_LIBRARY",
    "This version of amqplib is built differently from the ones we know: npm install amqplib@2.3.1",
  );
}

/** The next frame if it is one with properties and is there as a whole; else amqplib itself goes on. */
function takePropertiesFrame(innards: Innards): object | undefined {
  const { rest } = innards;
  if (rest.length < frameOverhead || rest[0] !== propertiesFrame) return undefined;
  const size = rest.readUInt32BE(3);
  const end = frameOverhead - 1 + size;
  if (rest.length <= end || rest[end] !== frameEnd || size < propertiesOffset + 2) return undefined;
  if (rest.readUInt16BE(7) !== basicClass) return undefined;
  innards.rest = rest.subarray(end + 1);
  return {
    id: basicClass,
    channel: rest.readUInt16BE(1),
    size: Number(rest.readBigUInt64BE(11)),
    fields: rest.subarray(7 + propertiesOffset, end),
  };
}

function writePublish(
  innards: Innards,
  channel: number,
  { exchange, to, properties, body, mandatory }: RawMessage,
): boolean {
  const through = exchange === "" ? noName : Buffer.from(exchange);
  const key = Buffer.from(to);
  const names = through.length + key.length;
  const frames = new ByteWriter(64 + names + properties.length + Math.min(body.length, copyLimit));
  putFrame(frames, methodFrame, channel, 4 + 2 + 1 + 1 + names + 1);
  frames.short(basicClass).short(publishMethod).short(0).octet(through.length).put(through);
  frames
    .octet(key.length)
    .put(key)
    .octet(mandatory ? mandatoryFlag : 0)
    .octet(frameEnd);
  putFrame(frames, propertiesFrame, channel, propertiesOffset + properties.length);
  frames.short(basicClass).short(0).longlong(BigInt(body.length)).put(properties).octet(frameEnd);
  const largest = innards.frameMax - frameOverhead;
  if (body.length > Math.min(copyLimit, largest)) {
    write(innards, channel, frames.bytes);
    return writeBody(innards, channel, body, largest);
  }
  if (body.length > 0) putBody(frames, channel, body);
  return write(innards, channel, frames.bytes);
}

/** Whole frames, to where amqplib writes those of this channel. */
function write(innards: Innards, channel: number, frames: Buffer): boolean {
  const stream = innards.channels[channel]?.buffer;
  if (stream === undefined) throw new OfficeError("TRANSPORT_UNAVAILABLE", "The channel to RabbitMQ is closed.");
  innards.sentSinceLastCheck = true;
  return stream.write(frames);
}

function writeBody(innards: Innards, channel: number, body: Buffer, largest: number): boolean {
  let room = true;
  for (let at = 0; at < body.length; at += largest) {
    const part = body.subarray(at, at + largest);
    const frame = new ByteWriter(part.length + frameOverhead);
    putBody(frame, channel, part);
    room = write(innards, channel, frame.bytes);
  }
  return room;
}

function putBody(frames: ByteWriter, channel: number, body: Buffer): void {
  putFrame(frames, bodyFrame, channel, body.length);
  frames.put(body).octet(frameEnd);
}

function putFrame(frames: ByteWriter, type: number, channel: number, size: number): void {
  frames.octet(type).short(channel).long(size);
}
