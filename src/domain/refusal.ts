import type { OfficeError } from "./errors.ts";
import { publicCodes } from "./public-codes.ts";

/** A refusal as every door tells it: a code for programs, a sentence for people, and the way out where it is apart. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** No one reads more of a text. A file with many mistakes takes some. */
const longestText = 4_000;
/** The way out is at the end. */
const keptOfEnd = 500;
const longestList = 100;
/** In characters of JSON. */
const longestDetail = 64_000;

/** A refusal may repeat what was sent, which may be as long as a request: the middle of a long text is left out. */
function boundedText(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText - keptOfEnd)} … ${text.slice(-keptOfEnd)}`;
}

/** Facts for programs, long texts and lists cut; without those that are too long even so. */
export function boundedDetails(details: OfficeError["details"]): OfficeError["details"] {
  const bounded = Object.entries(details).map(([name, value]): [string, unknown] => [name, boundedValue(value)]);
  return Object.fromEntries(bounded.filter(([, value]) => (JSON.stringify(value) ?? "").length <= longestDetail));
}

function boundedValue(value: unknown): unknown {
  if (typeof value === "string") return boundedText(value);
  if (Array.isArray(value)) return value.slice(0, longestList).map(boundedValue);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, boundedValue(inner)]));
}

export function refusalOf({ code, message, details }: OfficeError): Refusal {
  const [sentence = "", nearest] = message.split(/ (?=Did you mean )/);
  const hint = typeof details.hint === "string" ? details.hint : nearest;
  return {
    code: publicCodes[code],
    message: boundedText(sentence),
    hint: hint === undefined ? null : boundedText(hint),
  };
}
