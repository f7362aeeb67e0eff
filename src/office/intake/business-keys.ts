import type { DeadLetter, LetterReading } from "../../domain/dead-letter.ts";
import { isMaskedPath, type Masking, mask, maskText } from "../../domain/redaction.ts";

const maxKeys = 8;
const maxKeyLength = 200;
/** A larger body is not looked into: parsing it for a few ids would cost more than keeping it. */
const maxParsedBytes = 16_384;

const decoder = new TextDecoder("utf-8", { fatal: true });
const idName = /^(?:id|uuid|guid|reference|number|sku|key)$|(?:Id|ID|_id|-id|Uuid|_uuid|Number|_number|Ref|_ref)$/;

/** By what people look for a letter: its keys and ids, and what its payload calls an id. Nothing that is masked. */
export function businessKeys(letter: DeadLetter, reading: LetterReading, masking: Masking): readonly string[] {
  const own = [reading.idempotencyKey, reading.orderingKey, reading.messageId, reading.correlationId, keyText(letter)];
  const all = [...own, ...idsIn(reading.payload ?? letter.message.body, masking)];
  const shown = all.filter((key): key is string => key !== null && key !== "" && key.length <= maxKeyLength);
  return [...new Set(shown.filter((key) => !maskText(key).includes(mask)))].slice(0, maxKeys);
}

export function keyText({ message: { key } }: DeadLetter): string | null {
  if (key === null || key.byteLength === 0 || key.byteLength > maxKeyLength) return null;
  try {
    return decoder.decode(key);
  } catch {
    return null;
  }
}

function idsIn(body: Uint8Array, masking: Masking): readonly string[] {
  // 0x7b is an opening brace: ids are looked for in objects only.
  if (body.byteLength > maxParsedBytes || body[0] !== 0x7b) return [];
  try {
    return namedIds(JSON.parse(decoder.decode(body)) as Readonly<Record<string, unknown>>, "body", masking);
  } catch {
    return [];
  }
}

/** Of the object and of the objects right in it. */
function namedIds(object: Readonly<Record<string, unknown>>, path: string, masking: Masking): readonly string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const place = `${path}.${name}`;
    if (path === "body" && typeof value === "object" && value !== null && !Array.isArray(value)) {
      return namedIds(value as Readonly<Record<string, unknown>>, place, masking);
    }
    const isId = (typeof value === "string" || Number.isSafeInteger(value)) && idName.test(name);
    return isId && !isMaskedPath(place, masking) ? [String(value)] : [];
  });
}
