import { short, writeText } from "./write-text.ts";

const signature = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const firstSize = 1 << 20;
/** PostgreSQL counts from 2000. */
const postgresEpochMs = 946_684_800_000;

const textOid = 25;

/** Rows in PostgreSQL's binary COPY format. A value is written as the column's type takes it; nothing is checked. */
export class CopyRows {
  #bytes = Buffer.allocUnsafe(firstSize);
  #end = 0;

  constructor() {
    this.#end = signature.copy(this.#bytes);
  }

  /** Begins a row of so many columns. */
  row(columns: number): this {
    this.#room(2);
    this.#end = this.#bytes.writeInt16BE(columns, this.#end);
    return this;
  }

  text(value: string | null): this {
    if (value === null) return this.#null();
    this.#room(4 + value.length * 3);
    const length = writeText(this.#bytes, value, this.#end + 4);
    this.#bytes.writeInt32BE(length, this.#end);
    this.#end += 4 + length;
    return this;
  }

  bytes(value: Uint8Array | null): this {
    if (value === null) return this.#null();
    this.#room(4 + value.byteLength);
    this.#end = this.#bytes.writeInt32BE(value.byteLength, this.#end);
    if (value.byteLength > short) this.#bytes.set(value, this.#end);
    else for (let index = 0; index < value.byteLength; index++) this.#bytes[this.#end + index] = value[index] ?? 0;
    this.#end += value.byteLength;
    return this;
  }

  uuid(value: Uint8Array | null): this {
    return this.bytes(value);
  }

  smallint(value: number): this {
    this.#room(6);
    this.#end = this.#bytes.writeInt32BE(2, this.#end);
    this.#end = this.#bytes.writeInt16BE(value, this.#end);
    return this;
  }

  integer(value: number | null): this {
    if (value === null) return this.#null();
    this.#room(8);
    this.#end = this.#bytes.writeInt32BE(4, this.#end);
    this.#end = this.#bytes.writeInt32BE(value, this.#end);
    return this;
  }

  bigint(value: bigint | null): this {
    if (value === null) return this.#null();
    this.#room(12);
    this.#end = this.#bytes.writeInt32BE(8, this.#end);
    this.#end = this.#bytes.writeBigInt64BE(value, this.#end);
    return this;
  }

  real(value: number): this {
    this.#room(8);
    this.#end = this.#bytes.writeInt32BE(4, this.#end);
    this.#end = this.#bytes.writeFloatBE(value, this.#end);
    return this;
  }

  /** Milliseconds since 1970. */
  timestamp(value: number | null): this {
    if (value === null) return this.#null();
    this.#room(12);
    // Exact in a double for another two hundred years, and quicker than a bigint.
    const micros = Math.round(value - postgresEpochMs) * 1_000;
    const high = Math.floor(micros / 2 ** 32);
    this.#end = this.#bytes.writeInt32BE(8, this.#end);
    this.#end = this.#bytes.writeInt32BE(high, this.#end);
    this.#end = this.#bytes.writeUInt32BE(micros - high * 2 ** 32, this.#end);
    return this;
  }

  texts(values: readonly string[]): this {
    const start = this.#begin();
    for (const word of values.length === 0 ? [0, 0, textOid] : [1, 0, textOid, values.length, 1]) {
      this.#room(4);
      this.#end = this.#bytes.writeInt32BE(word, this.#end);
    }
    for (const value of values) this.text(value);
    return this.#finish(start);
  }

  /** All rows so far, ended; more may follow, in another copy. */
  finished(): Uint8Array {
    this.#room(2);
    this.#bytes.writeInt16BE(-1, this.#end);
    return this.#bytes.subarray(0, this.#end + 2);
  }

  #null(): this {
    this.#room(4);
    this.#end = this.#bytes.writeInt32BE(-1, this.#end);
    return this;
  }

  #begin(): number {
    this.#room(4);
    this.#end += 4;
    return this.#end;
  }

  #finish(start: number): this {
    this.#bytes.writeInt32BE(this.#end - start, start - 4);
    return this;
  }

  #room(wanted: number): void {
    if (this.#end + wanted + 2 <= this.#bytes.byteLength) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.byteLength * 2, this.#end + wanted + 2));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
