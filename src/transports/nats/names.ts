import { createHash } from "node:crypto";
import { requireOption } from "../../domain/options.ts";
import { queueNames } from "../../domain/wire.ts";

/** Longer names are cut, with a digest of the rest: they are folders on the server's disk. */
const longestName = 128;
const digestLength = 24;

/**
 * A queue's name as one word, which streams, consumers and parts of a subject may be called: `orders.paid` is `orders_paid`.
 * No two names are the same word.
 */
export function wordOf(name: string): string {
  const word = name
    .replaceAll(/[^A-Za-z0-9.-]/gu, (char) => `=${Buffer.from(char).toString("hex")}`)
    .replaceAll(".", "_");
  if (word.length <= longestName) return word;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, digestLength);
  return `${word.slice(0, longestName - digestLength - 1)}=${digest}`;
}

/** The name again; of one that was cut, only its beginning. */
export function nameOfWord(word: string): string {
  return word
    .replaceAll("_", ".")
    .replaceAll(oneCharacter, (escaped) => Buffer.from(escaped.slice(1), "hex").toString());
}

/** UTF-8 says by its first byte how many there are. */
const oneCharacter = /=(?:[0-7].|[cd].{3}|e.{5}|f.{7})/gu;

/** The subjects of our own stream: queues beside others, messages that come again, and those that wait for their time. */
export const ourSubjects = {
  all: ["dlo.queue.*", "dlo.again.*", "dlo.charged.*", "dlo.delayed.*"],
  queue: (name: string): string => `dlo.queue.${wordOf(name)}`,
  again: (queue: string): string => `dlo.again.${wordOf(queue)}`,
  charged: (queue: string): string => `dlo.charged.${wordOf(queue)}`,
  delayed: (name: string): string => `dlo.delayed.${wordOf(name)}`,
} as const;

/** Whether only a group's own consumers read there, to whom it is told how a message came to be there again. */
export function isForOneGroup(subject: string): boolean {
  return /^dlo\.(again|charged)\./u.test(subject);
}

/** Whether it is we who send there, and tell with each message how it came to be there. */
export function tellsHowItCame(subject: string): boolean {
  return /^dlo\.(again|charged|delayed)\./u.test(subject);
}

/** `ORDERS/orders.paid` is a subject of that stream; without a stream it is looked for. */
export function splitName(name: string): { readonly stream: string | null; readonly subject: string } {
  const slash = name.indexOf("/");
  const subject = name.slice(slash + 1);
  requireOption(isSubject(subject), "queue", "a subject of NATS, like orders.paid", name);
  return { stream: slash === -1 ? null : name.slice(0, slash), subject };
}

/** Our queues beside a queue. Where a stream takes all of `orders.>`, its other readers would get them too. */
export function isBeside(name: string): boolean {
  const suffixes = [queueNames.deadLetters(""), queueNames.parked(""), queueNames.probes("")];
  const isOne = suffixes.some((suffix) => name.endsWith(suffix)) || name.includes(queueNames.quarantine("", ""));
  return isOne || name === queueNames.reports;
}

export function hasWildcards(subject: string): boolean {
  return subject.split(".").some((token) => token === "*" || token === ">");
}

function isSubject(subject: string): boolean {
  const tokens = subject.split(".");
  const isToken = (token: string, index: number) =>
    token !== "" && (token === "*" || (token === ">" ? index === tokens.length - 1 : !/[\s*>\0]/u.test(token)));
  return Buffer.from(subject).toString() === subject && tokens.every(isToken);
}
