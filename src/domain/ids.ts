import { OfficeError } from "./errors.ts";

/**
 * Ids of what the ledger holds: 16 bytes, the first six of them milliseconds since 1970, so that they sort by time and a
 * table can be partitioned by them. People see them with a prefix, in Crockford's base 32, as ULIDs.
 */
export const idPrefixes = {
  letter: "ltr",
  group: "grp",
  replay: "rpl",
  session: "drn",
  fix: "fix",
  deploy: "dep",
  alert: "alr",
} as const;

export type IdKind = keyof typeof idPrefixes;

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const bitsPerDigit = 5;

/** Sixteen bytes from a time and eighty bits of chance, given as hexadecimal digits such as those of a random UUID. */
export function makeId(nowMs: number, chance: string): Uint8Array {
  const id = Buffer.allocUnsafe(16).fill(0);
  id.writeUIntBE(Math.max(0, Math.floor(nowMs)) % 2 ** 48, 0, 6);
  id.write(chance.replaceAll("-", "").slice(-20).padStart(20, "0"), 6, "hex");
  return new Uint8Array(id.buffer, id.byteOffset, id.byteLength);
}

/**
 * Makes ids that sort in the order in which they were made, also within a millisecond: letters of one ordering key come in
 * batches, and must go back in the order they came.
 */
export function idsInOrder(newChance: () => string): (nowMs: number) => Uint8Array {
  let last = 0;
  let n = 0;
  return (nowMs) => {
    const isLater = nowMs > last || n >= 0xff_ffff;
    last = isLater ? Math.max(nowMs, last + 1) : last;
    n = isLater ? 0 : n + 1;
    return makeId(last, n.toString(16).padStart(6, "0") + newChance().replaceAll("-", "").slice(-14));
  };
}

/** When it was made, in milliseconds since 1970. */
export function timeOfId(id: Uint8Array): number {
  return Number.parseInt(hexOf(id).slice(0, 12), 16);
}

/** As people see it: `ltr_01JCQ8…`. */
export function showId(kind: IdKind, id: Uint8Array): string {
  let digits = "";
  // Sixteen bytes are two bits short of 26 digits. A bigint would take several times as long, for each letter that is sent.
  let [rest, bits] = [0, 2];
  for (const byte of id) {
    rest = (rest << 8) | byte;
    for (bits += 8; bits >= 5; ) {
      bits -= 5;
      digits += alphabet[rest >>> bits];
      rest &= (1 << bits) - 1;
    }
  }
  return `${idPrefixes[kind]}_${digits}`;
}

/** The bytes of an id as people write it; refuses what is not one of that kind. */
export function readId(kind: IdKind, text: string): Uint8Array {
  const prefix = `${idPrefixes[kind]}_`;
  const digits = text.slice(prefix.length).toUpperCase();
  const isId = text.startsWith(prefix) && /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(digits);
  if (!isId) {
    throw new OfficeError(
      "INVALID_OPTION",
      `\`${text}\` is not the id of a ${kind}: those look like ${exampleOf(kind)}.`,
    );
  }
  const id = new Uint8Array(16);
  let [rest, bits, at] = [0, -2, 0];
  for (const digit of digits) {
    rest = (rest << bitsPerDigit) | alphabet.indexOf(digit);
    bits += bitsPerDigit;
    if (bits < 8) continue;
    bits -= 8;
    id[at++] = rest >>> bits;
    rest &= (1 << bits) - 1;
  }
  return id;
}

/** The first and the last id that begin with these digits, as people see them. */
export function idRange(digits: string): { readonly first: Uint8Array; readonly last: Uint8Array } {
  const padded = (digit: string) => readId("letter", `${idPrefixes.letter}_${digits.padEnd(wholeDigits, digit)}`);
  return { first: padded("0"), last: padded("Z") };
}

/** Of an id as people see it. */
export const wholeDigits = 26;

function exampleOf(kind: IdKind): string {
  return `${idPrefixes[kind]}_01JCQ8ZK4M6T8V0X2Z4B6D8F0H`;
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** As PostgreSQL writes it. */
export function uuidOf(id: Uint8Array): string {
  const hex = hexOf(id);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const dash = 45;
const nine = 57;

/** Digit by digit: every row that is read has a few of them. */
export function idOfUuid(uuid: string): Uint8Array {
  const id = new Uint8Array(16);
  for (let index = 0, digits = 0; index < uuid.length; index++) {
    const code = uuid.charCodeAt(index);
    if (code === dash) continue;
    // Digits are 48 to 57, small letters 97 to 102, and capitals those without one bit.
    const value = code <= nine ? code - 48 : (code | 32) - 87;
    id[digits >> 1] = ((id[digits >> 1] ?? 0) << 4) | value;
    digits += 1;
  }
  return id;
}
