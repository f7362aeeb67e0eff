import type { Category } from "../../domain/classification.ts";
import type { Finding } from "../finding.ts";
import type { ReadText } from "../lexicon.ts";
import type { Reading } from "./reading.ts";

interface Meaning {
  readonly category: Category;
  readonly weight: number;
  readonly means: string;
  readonly effect?: Finding["effect"];
  readonly yields?: boolean;
}

const meanings: Readonly<Record<number, Meaning>> = {
  400: { category: "schema_mismatch", weight: 0.42, means: "the request was not understood" },
  401: { category: "unknown", weight: 0.8, means: "credentials are wrong or missing" },
  402: { category: "business_rule", weight: 0.5, means: "payment was asked for or declined" },
  403: { category: "unknown", weight: 0.62, means: "we are not allowed to" },
  404: { category: "lost_context", weight: 0.5, means: "what it refers to was not found" },
  405: { category: "unknown", weight: 0.5, means: "the address or method is wrong" },
  406: { category: "unknown", weight: 0.4, means: "the other side has nothing acceptable" },
  407: { category: "unknown", weight: 0.8, means: "a proxy asks for credentials" },
  408: { category: "transient", weight: 0.8, means: "the request took too long", effect: "if writing" },
  409: { category: "business_rule", weight: 0.5, means: "it conflicts with what is there" },
  410: { category: "lost_context", weight: 0.8, means: "what it refers to is gone" },
  412: { category: "transient", weight: 0.5, means: "somebody changed it in between" },
  413: { category: "poison", weight: 0.7, means: "the body is larger than the other side takes" },
  415: { category: "schema_mismatch", weight: 0.6, means: "the other side does not take this type of content" },
  422: { category: "schema_mismatch", weight: 0.48, means: "the values were refused" },
  423: { category: "transient", weight: 0.6, means: "it was locked" },
  425: { category: "transient", weight: 0.8, means: "it was too early" },
  429: { category: "transient", weight: 0.85, means: "we asked too often" },
  430: { category: "transient", weight: 0.7, means: "we asked too often" },
  500: { category: "unknown", weight: 0.6, means: "the other side failed and does not say why", yields: true },
  502: { category: "transient", weight: 0.82, means: "a gateway got no good answer", effect: "if writing" },
  503: { category: "transient", weight: 0.85, means: "the service was not available", effect: "if writing" },
  504: { category: "transient", weight: 0.85, means: "a gateway waited in vain", effect: "if writing" },
  507: { category: "transient", weight: 0.6, means: "the other side has no room left" },
  529: { category: "transient", weight: 0.85, means: "the other side is overloaded" },
};

/**
 * How clients in many languages put the status into a sentence: "Request failed with status code 503", "unexpected status:
 * 502", "Response code 429". A sentence about something else that has a status is not meant, nor is an exit status.
 */
const inSentence =
  /\b(?:request|response|respon[ds]\w*|server|upstream|http|unexpected|bad|non-2\d\d|error|failed|returned|received|got)\b(?:(?!\bexit)[^.;\d]){0,40}?\b(?:status|code)(?:\s+code)?(?:\s+(?:of|was|is))?\s*[:=]?\s*\(?([45]\d\d)\b/i;

/** What may stand before the status of an answer. With any other word, such as "order", it is the status of that. */
const qualities =
  "(?:(?:with|in|an?|the|http|https|response|unexpected|invalid|bad|wrong|unsuccessful|non-success|error|failure)\\s+){0,6}";
const answered = "\\b(?:returned|responded|replied|answered|received|got|failed)\\s+";
/** Where nobody is said to have answered, only the whole term is clear enough. */
const opening = "(?:^|[:,(]\\s*|\\b(?:ended|finished)\\s+)";
const itsNumber = "(?:\\s+(?:of|was|is))?\\s*[:=]?\\s*\\(?([45]\\d\\d)\\b(?!\\s+for\\b)";

/**
 * Sentences that can only be about an answer, whatever else their words might mean: "returned an invalid status code of 503",
 * "GET https://shop.example/stock returned 503", "expected status 200 but got 503", "HTTP 503".
 */
const ofAnAnswer: readonly RegExp[] = [
  new RegExp(`${answered}${qualities}status(?:\\s+code)?${itsNumber}`, "i"),
  new RegExp(`${opening}${qualities}status\\s+code${itsNumber}`, "i"),
  /\bexpected\s+(?:an?\s+)?(?:(?:http|status|code)\s+){1,3}2\d\d\b,?\s+(?:but\s+)?(?:got|received|was|found)\s+(?:(?:http|status|code|a)\s+){0,3}([45]\d\d)\b/i,
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE)\s+\S+\s+(?:returned|responded with|answered|answered with|failed with|failed:|->|=>|\u2192|:)\s*([45]\d\d)\b/,
  /\b(?:server|service|upstream|endpoint|gateway|backend|proxy|api|[a-z\d]+-(?:service|api|server|gateway))\s+(?:responded|replied|answered|returned)(?:\s+with)?\s*:?\s*(?:an?\s+)?(?:http\s+)?([45]\d\d)(?=\s*(?:$|[.,;:()-]))/i,
  /\b(?:unexpected|bad)\s+(?:(?:server|http|upstream)\s+)?response\s*:?\s*\(?([45]\d\d)\b/i,
  /\bhttp(?:\/\d(?:\.\d)?)?\s+(?:error\s+|status\s+)?:?\s*([45]\d\d)(?=\s*(?:$|[^\w\s]|[A-Z]))/i,
  /\bstatus_?code\s*[:=]\s*([45]\d\d)\b/i,
];

/** Longer messages quote others. */
const longestSentence = 500;

/** A number that could be the status of a failure: the sentences are looked for only around one. Ids have such digits inside. */
const failing = /(?:^|\D)[45]\d\d(?!\d)/;

/** The status that a message names, where nobody read it; null where it names none. */
function statusIn(message: string | null): number | null {
  const text = message?.slice(0, longestSentence) ?? "";
  if (!failing.test(text)) return null;
  const [, status] = inSentence.exec(text) ?? answerIn(text) ?? [];
  return status === undefined ? null : Number(status);
}

function answerIn(text: string): RegExpExecArray | null {
  if (!failing.test(text)) return null;
  for (const form of ofAnAnswer) {
    const found = form.exec(text);
    if (found !== null) return found;
  }
  return null;
}

/** Words that are about an answer where the sentence is, and about a thing or its values elsewhere. */
const answersWords = /\bstatus\b|^expected\b/;

/**
 * What a message says besides the status of an answer: in "returned an invalid status code of 503" no thing is in a status that
 * forbids anything, and in "expected 200, got 503" nobody refuses a value.
 */
export function besideStatus({ evidence, message }: Reading): ReadText {
  const { mentions } = message;
  const text = evidence.message;
  if (text === null || !mentions.some(({ words }) => answersWords.test(words))) return message;
  if (answerIn(text.slice(0, longestSentence)) === null) return message;
  return { ...message, mentions: mentions.filter(({ words }) => !answersWords.test(words)) };
}

/** What the HTTP status says: little, where anything else speaks. */
export function statusOf({ evidence }: Reading): Finding[] {
  const status = evidence.httpStatus ?? statusIn(evidence.message);
  if (status === null) return [];
  const meaning = meanings[status] ?? cloudflare(status);
  if (meaning === undefined) return [];
  const { category, weight, means, effect = "none", yields = false } = meaning;
  return [
    {
      source: "status",
      category,
      weight,
      rule: `status/${status}`,
      why: () => `HTTP ${status}: ${means}.`,
      effect,
      yields,
    },
  ];
}

/** 520 to 527: a proxy could not get an answer from the server behind it. */
function cloudflare(status: number): Meaning | undefined {
  if (status < 520 || status > 527) return undefined;
  return { category: "transient", weight: 0.75, means: "a proxy got no answer", effect: "if writing" };
}
