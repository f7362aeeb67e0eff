import { isUtf8 } from "node:buffer";

/** Reads numbers and strings as AMQP writes them. Reading past the end throws a RangeError. */
export class ByteReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.at = 0;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  octet(): number {
    return this.bytes.readUInt8(this.#skip(1));
  }

  short(): number {
    return this.bytes.readUInt16BE(this.#skip(2));
  }

  long(): number {
    return this.bytes.readUInt32BE(this.#skip(4));
  }

  longlong(): bigint {
    return this.bytes.readBigUInt64BE(this.#skip(8));
  }

  /** The next `length` bytes, not copied. */
  take(length: number): Buffer {
    if (length > this.left) throw new RangeError(`${length} bytes are announced and ${this.left} are left.`);
    const start = this.#skip(length);
    return this.bytes.subarray(start, start + length);
  }

  #skip(length: number): number {
    const start = this.at;
    this.at += length;
    return start;
  }
}

/** Collects bytes as AMQP wants them. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  /** It grows by itself; `expected` bytes are made room for at once. */
  constructor(expected = 256) {
    this.#bytes = Buffer.allocUnsafe(expected);
  }

  /** What was written so far. It is not to be written to afterwards. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  octet(value: number): this {
    const at = this.#extend(1);
    this.#bytes.writeUInt8(value, at);
    return this;
  }

  short(value: number): this {
    const at = this.#extend(2);
    this.#bytes.writeUInt16BE(value, at);
    return this;
  }

  long(value: number): this {
    const at = this.#extend(4);
    this.#bytes.writeUInt32BE(value, at);
    return this;
  }

  longlong(value: bigint): this {
    const at = this.#extend(8);
    this.#bytes.writeBigUInt64BE(BigInt.asUintN(64, value), at);
    return this;
  }

  double(value: number): this {
    const at = this.#extend(8);
    this.#bytes.writeDoubleBE(value, at);
    return this;
  }

  put(bytes: Uint8Array): this {
    const at = this.#extend(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  /** Whatever `write` writes, with its length in four bytes before it. */
  prefixed(write: () => void): this {
    const start = this.#extend(4);
    write();
    this.#bytes.writeUInt32BE(this.#length - start - 4, start);
    return this;
  }

  /** Makes room, and says where. It may move everything: what is written must ask for the bytes afterwards. */
  #extend(length: number): number {
    const start = this.#length;
    this.#length += length;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    return start;
  }
}

/** The text these bytes are, or undefined if they are not UTF-8: decoded anyway, they could not be told apart again. */
export function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  return text.includes("\u{fffd}") && !isUtf8(bytes) ? undefined : text;
}
