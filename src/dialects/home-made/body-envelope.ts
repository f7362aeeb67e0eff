import { attemptLog } from "../attempt-log.ts";
import { fromBase64, fromHex } from "../bytes.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { payloadOf } from "../jobs/job-record.ts";
import { countOf, isObject, type Json, listOf, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { decimal, toPartition } from "../numbers.ts";
import { anyTime } from "../times.ts";
import { homeMadeError } from "./home-made-error.ts";
import { byPlainName, type Synonym, valueUnder } from "./synonyms.ts";

/** A JSON body that wraps the original message beside what failed. Everybody has a shape of their own; the words are few. */
export const bodyEnvelope: Dialect = { id: "body-envelope", read };

type Values = ReadonlyMap<string, Json>;

const payloadNames =
  "originalmessage originalevent originalpayload payload message body data rawvalue rawvaluehex value".split(" ");

/** Every envelope has one of these in a name of its own; a body without them is not taken apart. */
const mayWrap = /dlq|original|source/i;

function read(view: LetterView): Facts | null {
  const body = view.json();
  if (!isObject(body) || !Object.keys(body).some((name) => mayWrap.test(name))) return null;
  const top = membersOf(body);
  const metadata = Object.entries(body).find(([name, value]) => isMarker(name) && isObject(value))?.[1];
  if (metadata === undefined && !isEnvelope(top)) return null;
  const attempts = attemptLog(historyOf(top, membersOf(metadata)).map(attemptIn));
  return { ...factsOf(layersOf(top, metadata)), attemptLog: attempts, payload: payloadIn(top) };
}

const mayTell = /error|exception|reason|message/i;

/** What a report has to have: an error, a stack or a time, and a place. */
const reportNames: readonly (readonly Synonym[])[] = [
  ["errorMessage", "errorClass"],
  ["stack", "lastFailedAt"],
  ["source", "bareSource"],
];

/** A report of a failure in the body, without the message: no envelope, but what it says is read. */
export function readBodyReport(view: LetterView): Facts {
  const body = view.json();
  if (!isObject(body) || !mayTell.test(view.text() ?? "")) return {};
  const top = membersOf(body);
  const isReport = reportNames.every((names) => valueUnder(top, ...names) !== undefined);
  return isReport ? factsOf(layersOf(top, undefined)) : {};
}

/** `dlq_metadata`, `_dlq_record`. */
function isMarker(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z]/g, "");
  return plain === "dlqmetadata" || plain === "dlqrecord";
}

function membersOf(value: Json | undefined): Map<string, Json> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return byPlainName(entries.flatMap(([name, inner]) => (inner === undefined ? [] : [[name, inner] as const])));
}

/** Without a telling name, only an origin, an error and a payload together are an envelope. */
function isEnvelope(top: Values): boolean {
  const has = (...names: readonly string[]) => names.some((name) => top.has(name));
  const place = membersOf(top.get("source"));
  const hasPlace = ["topic", "queue", "subject", "stream"].some((name) => place.has(name));
  const hasOrigin = has("originaltopic", "sourcetopic", "originalqueue", "sourcequeue") || hasPlace;
  return hasOrigin && has("error", "errortype", "errormessage", "exception", "reason") && has(...payloadNames);
}

/** Where facts are looked for, the most telling first. Of the original message only where it was: the rest is its own. */
function layersOf(top: Values, metadata: Json | undefined): readonly Values[] {
  const meta = membersOf(metadata);
  const original = membersOf(top.get("originalmessage"));
  const places = ["topic", "queue", "subject", "partition", "offset", "streamsequence"];
  return [
    meta,
    asError(membersOf(meta.get("error"))),
    asError(membersOf(top.get("error"))),
    membersOf(top.get("source")),
    top,
    new Map([...original].filter(([name]) => places.includes(name))),
    ...historyLayers(historyOf(top, meta)),
  ];
}

function historyOf(top: Values, meta: Values): readonly Json[] {
  return listOf(top.get("failurehistory") ?? top.get("retryhistory") ?? meta.get("retryhistory"));
}

function failureOfTry(entry: Json): ReturnType<typeof homeMadeError> {
  const members = membersOf(entry);
  return homeMadeError(flatten([asError(membersOf(members.get("error"))), members]));
}

function attemptIn(entry: Json, index: number) {
  const { errorClass, errorMessage, errorCode } = failureOfTry(entry);
  return { n: index + 1, at: anyTime(triedAt(entry)), errorClass, errorMessage, errorCode };
}

/** In an object `error` the words are short. */
function asError(error: Values): Values {
  return new Map(
    [...error].map(
      ([name, value]) => [/^(name|type|class|message|code)$/.test(name) ? `error${name}` : name, value] as const,
    ),
  );
}

/** The last try is the failure, the first tells when it began. */
function historyLayers(history: readonly Json[]): Values[] {
  if (history.length === 0) return [];
  const times = new Map<string, Json>();
  const [first, last] = [triedAt(history[0]), triedAt(history.at(-1))];
  if (first !== undefined) times.set("firstfailedat", first);
  if (last !== undefined) times.set("lastfailedat", last);
  return [membersOf(history.at(-1)), times, new Map([["attempt", history.length]])];
}

function triedAt(entry: Json | undefined): string | undefined {
  return textOf(member(entry, "attempted_at") ?? member(entry, "at") ?? member(entry, "timestamp"));
}

function factsOf(layers: readonly Values[]): Facts {
  const texts = flatten(layers);
  const find = (...wanted: readonly Synonym[]) => valueUnder(texts, ...wanted);
  const source = find("source", "failedSource", "bareSource");
  const retries = countOf(find("retries"));
  return {
    source,
    partition: toPartition(decimal(find("partition", "barePartition"))),
    offset: decimal(find("offset", "bareOffset")),
    ...homeMadeError(texts),
    attempts: countOf(find("attempts")) ?? (retries === undefined ? undefined : retries + 1),
    firstFailedAt: anyTime(find("firstFailedAt")),
    lastFailedAt: anyTime(find("lastFailedAt", "bareTime")),
    messageId: find("messageId"),
    consumer: find("consumer"),
    destination: source,
  };
}

/** Texts and numbers of all layers, the first that has a name. */
function flatten(layers: readonly Values[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of layers.flatMap((layer) => [...layer])) {
    const text = textOf(value);
    if (text !== undefined && text !== "" && !texts.has(name)) texts.set(name, text);
  }
  return texts;
}

/** The original as bytes: of `{key, value, headers}` the value, and undone what was only done to fit it into JSON. */
function payloadIn(top: Values): Uint8Array | undefined {
  const hex = top.get("rawvaluehex") ?? member(top.get("source"), "raw_value_hex");
  if (typeof hex === "string") return fromHex(hex);
  const name = payloadNames.find((candidate) => top.has(candidate));
  const value = name === undefined ? undefined : top.get(name);
  const inner = member(value, "value") ?? member(value, "payload") ?? value;
  const isBase64 = textOf(top.get("payloadencoding")) === "base64" && typeof inner === "string";
  return isBase64 ? fromBase64(inner) : payloadOf(inner);
}
