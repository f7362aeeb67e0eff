/** A part of the conversation with RabbitMQ that is sent as a whole. */
export interface AmqpFrame {
  readonly bytes: Buffer;
  readonly channel: number;
  /** What it asks for or answers, as class and method ("60.40" is a message that is published); else undefined. */
  readonly method: string | undefined;
}

const greetingLength = 8;
/** Type, channel and length before, the end mark behind. */
const headLength = 7;
const methodFrame = 1;

/** Cuts what one side says into frames. */
export class AmqpFrames {
  #rest: Buffer = Buffer.alloc(0);
  #greeted: boolean;

  /** A client says hello first, and not in a frame. */
  constructor(side: "client" | "broker") {
    this.#greeted = side === "broker";
  }

  /** The frames that are whole with these bytes. */
  push(bytes: Buffer): AmqpFrame[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const frames: AmqpFrame[] = [];
    for (let length = this.#nextLength(); length <= this.#rest.length; length = this.#nextLength()) {
      const frame = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      frames.push(this.#greeted ? readFrame(frame) : { bytes: frame, channel: 0, method: undefined });
      this.#greeted = true;
    }
    return frames;
  }

  #nextLength(): number {
    if (!this.#greeted) return greetingLength;
    return this.#rest.length < headLength ? Number.POSITIVE_INFINITY : headLength + this.#rest.readUInt32BE(3) + 1;
  }
}

function readFrame(bytes: Buffer): AmqpFrame {
  const isMethod = bytes[0] === methodFrame;
  const method = isMethod ? `${bytes.readUInt16BE(7)}.${bytes.readUInt16BE(9)}` : undefined;
  return { bytes, channel: bytes.readUInt16BE(1), method };
}
