import { textOf as utf8 } from "../../domain/text-of.ts";
import { fromBase64 } from "../bytes.ts";
import type { Facts } from "../dialect.ts";
import { type LetterView, valueText } from "../letter-view.ts";
import { isoTime } from "../times.ts";

/**
 * Symfony's envelope as PHP serialises it. It is never unserialised, for that would run code of whoever wrote it: its
 * text is walked token by token, and a name followed by a value is a fact.
 */
export function readSerialized(view: LetterView): Facts | null {
  const column = view.properties.get("body");
  const body = column === undefined ? textBeginning(view.letter.message.body) : (valueText(column) ?? "");
  if (!/^(Tzoz|O:36:)/.test(body)) return null;
  const text = body.startsWith("Tzoz") ? base64Text(body) : Buffer.from(body, "utf8").toString("latin1");
  if (!/^O:36:\\?"Symfony/.test(text)) return null;
  const pairs = pairsOf(text.startsWith('O:36:\\"') ? withoutSlashes(text) : text);
  const all = (stamp: string, name: string) => valuesOf(pairs, `${stamp}\0${name}`);
  const source = all("SentToFailureTransportStamp", "originalReceiverName").at(-1);
  const retries = all("RedeliveryStamp", "retryCount").map(Number);
  return {
    source,
    errorClass: all("ErrorDetailsStamp", "exceptionClass").at(-1),
    errorMessage: all("ErrorDetailsStamp", "exceptionMessage").at(-1),
    stack: all("FlattenException", "traceAsString")[0],
    attempts: retries.length === 0 ? undefined : Math.max(...retries) + 1,
    lastFailedAt: lastRedelivery(pairs),
    destination: source,
  };
}

/** Whatever begins with another letter is not looked at. */
function textBeginning(body: Uint8Array): string {
  return body[0] === 0x4f || body[0] === 0x54 ? (utf8(body) ?? "") : "";
}

function valuesOf(pairs: readonly Pair[], name: string): string[] {
  return pairs.filter((pair) => pair.name.endsWith(name)).map(({ value }) => value);
}

/** A date is an object of its own, with the zone beside it. Zones with a name need tables, and are left alone. */
function lastRedelivery(pairs: readonly Pair[]): number | undefined {
  const parts = pairs.filter(({ owner }) => owner.endsWith("RedeliveryStamp\0redeliveredAt"));
  const zone = parts.findLast(({ name }) => name === "timezone")?.value ?? "";
  const date = parts.findLast(({ name }) => name === "date")?.value;
  return /^(UTC|Z|[+-]\d\d:\d\d)$/.test(zone) ? isoTime(`${date} ${zone}`) : undefined;
}

function base64Text(body: string): string {
  return Buffer.from(fromBase64(body) ?? []).toString("latin1");
}

/** Undoes PHP's `addslashes`, which writes NUL as `\0`. */
function withoutSlashes(text: string): string {
  return text.replace(/\\([\s\S])/g, (_whole, next: string) => (next === "0" ? "\0" : next));
}

interface Pair {
  /** A private member's name begins with its class, and NULs around it. */
  readonly name: string;
  readonly value: string;
  /** The member that the object is the value of. */
  readonly owner: string;
}

/** Text of a known length, a whole number, another scalar, or a brace; everything else is passed over. */
const token = /s:(\d{1,9}):"|i:(-?\d{1,18});|[Nbd](?::[^;]{0,40})?;|[{}]/y;

/** Lengths are in bytes, which is why the text is one character a byte here. */
function pairsOf(text: string): Pair[] {
  const pairs: Pair[] = [];
  let name: string | undefined;
  let owner = "";
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at;
    const found = token.exec(text);
    const length = Number(found?.[1] ?? 0);
    const value = found?.[2] ?? (found?.[1] && text.slice(token.lastIndex, token.lastIndex + length));
    if (value !== undefined && name === undefined) name = value;
    else if (found !== null) {
      if (value !== undefined && name !== undefined) pairs.push({ name, value: fromLatin1(value), owner });
      if (found[0] === "{") owner = name ?? "";
      name = undefined;
    }
    at = found === null ? at + 1 : token.lastIndex + length;
  }
  return pairs;
}

function fromLatin1(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}
