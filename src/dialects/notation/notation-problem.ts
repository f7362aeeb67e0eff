import { fromBase64, fromHex } from "../bytes.ts";
import { isObject, type Json, type JsonObject, jsonText, member } from "../json.ts";

/** What is wrong with a letter that was written down, and where in it. */
export class NotationProblem extends Error {
  override readonly name = "NotationProblem";

  constructor(problem: string, path: readonly string[]) {
    super(path.length === 0 ? problem : `${path.join(".")}: ${problem}`);
  }
}

export function requireText(object: JsonObject, name: string): string {
  const value = member(object, name);
  if (typeof value !== "string") throw new NotationProblem("must be text", [name]);
  return value;
}

/** An object, or an empty one where there is none; anything else is refused. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = member(object, name) ?? {};
  if (!isObject(value)) throw new NotationProblem("must be an object", [name]);
  return value;
}

const encoder = new TextEncoder();
const none = new Uint8Array(0);

/** Text, `{"utf8": …}`, `{"hex": …}`, `{"base64": …}`; null is no bytes; any other JSON is itself, as text. */
export function bytesAt(object: JsonObject, name: string): Uint8Array {
  return bytesOf(member(object, name), name);
}

export function bytesOf(value: Json | undefined, name: string): Uint8Array {
  if (value === undefined || value === null) return none;
  if (typeof value === "string") return encoder.encode(value);
  const utf8 = member(value, "utf8");
  if (typeof utf8 === "string") return encoder.encode(utf8);
  const hex = member(value, "hex");
  if (typeof hex === "string") return orRefuse(fromHex(hex), "must be hexadecimal digits, two a byte", `${name}.hex`);
  return encoder.encode(jsonText(value));
}

export function base64At(object: JsonObject, name: string): Uint8Array {
  return orRefuse(fromBase64(requireText(object, name)), "must be base64", name);
}

function orRefuse(bytes: Uint8Array | undefined, problem: string, name: string): Uint8Array {
  if (bytes === undefined) throw new NotationProblem(problem, [name]);
  return bytes;
}
