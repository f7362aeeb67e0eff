import type { HeaderValue } from "../domain/message.ts";
import { bigEndian, isAllDigits } from "./bytes.ts";
import { firstText, type LetterView, lastText } from "./letter-view.ts";

/** Spring and Camel write integers as bytes; hand-written letters use the same names with text. */
export function binaryInt(value: HeaderValue | undefined, length: 4 | 8): bigint | undefined {
  if (value?.type !== "bytes" || value.value.length !== length || isAllDigits(value.value)) return undefined;
  return bigEndian(value.value);
}

/** Of whatever length; the shortest that holds it is how `BigInteger` writes. */
export function minimalInt(value: HeaderValue | undefined): bigint | undefined {
  return value?.type === "bytes" ? bigEndian(value.value) : undefined;
}

/** A partition or offset: binary if it can be, else decimal. */
export function numberIn(value: HeaderValue | undefined, length: 4 | 8, text: string | undefined): bigint | undefined {
  return binaryInt(value, length) ?? decimal(text);
}

export function decimal(text: string | undefined): bigint | undefined {
  return text !== undefined && /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}

/** A decimal header that is a place: -1 is nowhere. */
export function decimalAt(view: LetterView, name: string): bigint | undefined {
  return atLeast0(decimal(lastText(view, name)));
}

/** The same, where a library appends at each round and the first is where it failed first. */
export function firstDecimal(view: LetterView, name: string): bigint | undefined {
  return atLeast0(decimal(firstText(view, name)));
}

function atLeast0(number: bigint | undefined): bigint | undefined {
  return number !== undefined && number >= 0n ? number : undefined;
}

export function toPartition(number: bigint | undefined): number | undefined {
  return number !== undefined && number >= 0n && number <= 0x7fff_ffffn ? Number(number) : undefined;
}
