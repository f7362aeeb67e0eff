import type { Header, HeaderValue } from "../../domain/message.ts";
import type { Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import { type LetterView, valueText } from "../letter-view.ts";
import { decimal, numberIn, toPartition } from "../numbers.ts";
import { anyTime } from "../times.ts";
import { homeMadeError } from "./home-made-error.ts";
import { byPlainName, isOfAFailure, type Synonym, valueUnder } from "./synonyms.ts";

/**
 * Headers that a team wrote by hand. They are no dialect and have no id, but most say what they mean. `claimed` are the
 * names that a dialect on the same letter has spoken for.
 */
export function readHomeMadeHeaders(view: LetterView, claimed: ReadonlySet<string>): Facts {
  if (!mayTell.test(view.names)) return {};
  const own = view.letter.message.headers.filter(({ name }) => !claimed.has(name));
  const values = byPlainName(own.map(({ name, value }) => [name, value] as const));
  if (valueUnder(values, "errorClass", "errorMessage", "stack", "source", "failedSource") === undefined) return {};
  const texts = textsOf(values);
  const find = (...wanted: readonly Synonym[]) => valueUnder(texts, ...wanted);
  return {
    ...placeOf(values, texts),
    ...homeMadeError(texts),
    // How retries are counted differs from team to team, so they are not turned into attempts.
    attempts: countOf(find("attempts")),
    firstFailedAt: anyTime(find("firstFailedAt")),
    lastFailedAt: anyTime(find("lastFailedAt", "bareTime")) ?? sentAt(view),
    messageId: find("messageId"),
    consumer: find("consumer"),
    via: viaOf(find("exchange"), find("routingKey")),
    strip: stripOf(own, values),
  };
}

/** No header of a failure is called by anything else. */
const mayTell = /orig|source|error|exception|fail|reason|stack|trace/i;

function textsOf(values: ReadonlyMap<string, HeaderValue>): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of values) {
    const text = valueText(value);
    if (text !== undefined && text !== "") texts.set(name, text);
  }
  return texts;
}

/** Bare names are anybody's: they count only beside an error. */
function placeOf(values: ReadonlyMap<string, HeaderValue>, texts: ReadonlyMap<string, string>): Facts {
  const isFailure = hasError(values);
  const bare = (name: Synonym): Synonym[] => (isFailure ? [name] : []);
  const origin = originOf(texts.get("origin"));
  const source =
    valueUnder(texts, "source", "failedSource") ?? origin.source ?? valueUnder(texts, ...bare("bareSource"));
  return {
    source,
    partition: toPartition(placeIn(valueUnder(values, "partition", ...bare("barePartition")), 4)) ?? origin.partition,
    offset: placeIn(valueUnder(values, "offset", ...bare("bareOffset")), 8) ?? origin.offset,
    destination: source,
  };
}

function hasError(values: ReadonlyMap<string, HeaderValue>): boolean {
  return valueUnder(values, "errorClass", "errorMessage", "stack") !== undefined;
}

/** Camel writes integers as bytes; everybody else as text. */
function placeIn(value: HeaderValue | undefined, length: 4 | 8): bigint | undefined {
  const number = numberIn(value, length, valueText(value));
  return number !== undefined && number >= 0n ? number : undefined;
}

function viaOf(exchange: string | undefined, routingKey: string | undefined): Facts["via"] {
  return exchange === undefined || routingKey === undefined ? undefined : { exchange, routingKey };
}

/** SQS itself says when somebody sent the letter, and that was when it was given up. */
function sentAt({ letter }: LetterView): number | null {
  return letter.broker === "sqs" ? letter.timestamp : null;
}

/** An error and an origin together were written by whoever gave it up; one of them alone may be the message's own. */
function stripOf(own: readonly Header[], values: ReadonlyMap<string, HeaderValue>): string[] {
  const hasOrigin = valueUnder(values, "source", "failedSource", "bareSource") ?? values.get("origin");
  if (!hasError(values) || hasOrigin === undefined) return [];
  return own.map(({ name }) => name).filter(isOfAFailure);
}

/** `orders[1]@4` is offset 4 of partition 1. */
function originOf(text: string | undefined): Facts {
  const found = /^([\w.-]{1,249})[[:/-](\d{1,9})\]?[@:/](\d{1,19})$/.exec(text ?? "");
  return found === null ? {} : { source: found[1], partition: Number(found[2]), offset: decimal(found[3]) };
}
