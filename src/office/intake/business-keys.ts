import { isObject, type JsonObject } from "../../dialects/json.ts";
import { bodyJson } from "../../dialects/letter-view.ts";
import type { DeadLetter, LetterReading } from "../../domain/dead-letter.ts";
import { memo } from "../../domain/memo.ts";
import { isMaskedPath, type Masking, mask, maskText } from "../../domain/redaction.ts";

const maxKeys = 8;
const maxKeyLength = 200;

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
  const json = body[0] === 0x7b ? bodyJson(body) : undefined;
  return isObject(json) ? namedIds(json, "body", masking) : [];
}

/** Of the object and of the objects right in it. */
function namedIds(object: JsonObject, path: string, masking: Masking): readonly string[] {
  const ids: string[] = [];
  const isId = idNamesIn(path, masking);
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value))) {
      if (isId(name)) ids.push(String(value));
    } else if (path === "body" && isObject(value)) {
      ids.push(...namedIds(value, `${path}.${name}`, masking));
    }
  }
  return ids;
}

/** What was found out about names, by the masking and the path they stand at: letters by the thousand have the same. */
const knownNames = new WeakMap<Masking, (path: string) => (name: string) => boolean>();

/** Whether a field of that name there is an id that may be shown. */
function idNamesIn(path: string, masking: Masking): (name: string) => boolean {
  const known = knownNames.get(masking) ?? memo((at) => memo(idNameAt(at, masking), { most: 1_000 }), { most: 1_000 });
  knownNames.set(masking, known);
  return known(path);
}

function idNameAt(path: string, masking: Masking): (name: string) => boolean {
  return (name) => idName.test(name) && !isMaskedPath(`${path}.${name}`, masking);
}
