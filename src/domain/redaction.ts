import { maskAddresses } from "./mask-addresses.ts";
import { maskCards } from "./mask-cards.ts";
import { isLong, maskLongText } from "./mask-long-text.ts";
import type { Header, HeaderValue } from "./message.ts";
import { allSteps, type Steps } from "./steps.ts";
import { textOf } from "./text-of.ts";

/** What must not be shown: by what it looks like, and by where it stands. */
export interface Masking {
  /** `body.card.number`, `body.items[*].iban`, `header.authorization`; names are compared without regard to case. */
  readonly paths: readonly string[];
  /** Whether what looks like a secret or personal data is masked too. */
  readonly detectors: "default" | "none";
}

export const defaultMasking: Masking = { paths: [], detectors: "default" };

export const mask = "•••";

/** Something that must not be shown, by its looks. */
interface Look {
  /** In every text that has one; looked for first, since most text has none and the patterns themselves are slow. */
  readonly sign: RegExp;
  readonly pattern: RegExp;
  /** Tells of what the pattern takes whether it is one; all of it is, where this is left out. */
  readonly is?: (found: string) => boolean;
}

/** Names behind which a secret stands, in text as people and programs write it: `DB_PASSWORD=`, `access_token:`, `"secret":`. */
const secretNames =
  "(?:password|passwd|secret|api[-_]?key|access[-_]?key|private[-_]?key|" +
  "(?:access|refresh|id|auth|session|security)[-_]?token|\\b(?:pwd|token|authorization))";
/** The end of such a name where it stands in quotes. */
const closing = `(?:\\\\{0,7}["'])?`;
const namedSign = /(?:password|passwd|pwd|secret|token|key|authorization)\\{0,7}["']?\s?[=:]/i;
const elementSign = /<[^<>]{0,100}(?:password|passwd|pwd|secret|token|key|authorization)(?:\s[^<>]{0,200})?>/i;

/** What secrets and personal data look like. Each pattern runs in linear time: none repeats what it repeats. */
const looks: readonly Look[] = [
  {
    sign: /-----BEGIN /,
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,8000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  },
  // A token of three parts, as JSON Web Tokens are. Taken without its second part as well, or each `eyJ` in it were looked at again.
  {
    sign: /eyJ/,
    pattern: /\beyJ[\w-]{8,}(?:\.[\w-]{8,}(?:\.[\w-]*)?)?/g,
    is: (found) => found.includes("."),
  },
  { sign: /AKIA|ASIA/, pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  {
    sign: /[_-]|AIza/,
    pattern: /\b(?:gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|sk_live_|rk_live_|sk-|AIza|npm_|dlo_)[\w-]{16,}/g,
  },
  // Name and password in an address; some write its slashes in JSON with a backslash each.
  { sign: /@/, pattern: /(?<=:\\?\/\\?\/)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)/g },
  { sign: /(?:bearer|basic) /i, pattern: /\b(?<=(?:bearer|basic) )[\w.~+/=-]{8,}/gi },
  // What its name gives away: to the end of its quotes, which have backslashes where JSON stands in JSON, or to the next space.
  {
    sign: namedSign,
    pattern: new RegExp(
      `(?<=${secretNames}${closing}\\s?[=:]\\s?(\\\\{0,7})(["']))(?:(?!\\1\\2)(?:\\\\[^]|[^])){1,500}`,
      "gi",
    ),
  },
  {
    sign: namedSign,
    pattern: new RegExp(
      `(?<=${secretNames}${closing}\\s?[=:]\\s?)(?:\\\\(?!["'\\\\])|[^\\s"'\\\\,;&)}\\]]){1,500}`,
      "gi",
    ),
  },
  {
    sign: elementSign,
    pattern: new RegExp(`(?<=<[\\w.:-]{0,60}${secretNames}(?:\\s[^<>]{0,200})?>)[^<]{1,500}`, "gi"),
  },
  // Of 32 digits of a hash as well: those are no account's.
  { sign: /[A-Z]{2}\d{2}/, pattern: /\b(?![\dA-F]{32}\b)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,4})?\b/g },
];

/** How findings begin that go on as long as their characters do. */
const endless = /eyJ|gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|[sr]k_live_|sk-|AIza|npm_|dlo_|(?:bearer|basic) /i;

/** One pass that says whether any detector could find something: most text has none of it. */
const hint =
  /@|eyJ|-----BEGIN|AKIA|ASIA|gh[opsur]_|github_pat_|glpat-|xox|[sr]k_live_|sk-|AIza|npm_|dlo_|bearer |basic |(?:password|passwd|pwd|secret|token|key|authorization)(?:\\{0,7}["']?\s?[=:]|>|\s[^<>]{0,200}>)|\d(?:[ -]?\d){12}|[A-Z]{2}\d{2}/i;

/** The text with everything taken out that looks like a secret or like personal data. */
export function maskText(text: string): string {
  return isLong(text) ? allSteps(maskTextInSteps(text)) : detect(text);
}

/** The same of a long text in steps. */
export function maskTextInSteps(text: string): Steps<string> {
  return maskLongText(text, { detect, endless, mask });
}

function detect(text: string): string {
  if (!hint.test(text)) return text;
  let masked = text;
  for (const { sign, pattern, is } of looks) {
    if (!sign.test(masked)) continue;
    masked = masked.replace(pattern, (found: string) => (is === undefined || is(found) ? mask : found));
  }
  return maskCards(masked.includes("@") ? maskAddresses(masked, mask) : masked, mask);
}

/** Fields and headers whose name alone says that nobody should see what is in them. */
const secretName =
  /^(authorization|proxy-authorization|cookie|set-cookie|password|passwd|pwd|passphrase|pin|cvv|cvc|ssn|iban|secret|token|(.*[-_.])?(api[-_]?key|(access|refresh|id|auth|session|security)[-_]?token|client[-_]?secret|private[-_]?key|card[-_]?number|authorization|password|secret))$/i;

/** Whether what stands there is masked whatever it is: `header.authorization`, `body.user.password`. */
export function isMaskedPath(path: string, { paths, detectors }: Masking): boolean {
  const name = path.slice(path.lastIndexOf(".") + 1).replace(/\[\d*\]$/, "");
  if (detectors === "default" && secretName.test(snake(name))) return true;
  const wanted = path.toLowerCase();
  return paths.some((masked) => covers(masked.toLowerCase(), wanted));
}

/** `cardNumber` as `card_number`, so that one list of names serves for both. */
function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
}

/** Whether `masked` is that place or one that it is in; `[*]` stands for any place in a list. */
function covers(masked: string, path: string): boolean {
  const general = path.replace(/\[\d+\]/g, "[*]");
  const within = (of: string) => of === masked || of.startsWith(`${masked}.`) || of.startsWith(`${masked}[`);
  return within(path) || within(general);
}

/** Headers with what must not be shown taken out; values that are no text are shown only if they cannot hold one. */
export function maskHeaders(headers: readonly Header[], masking: Masking): readonly Header[] {
  return headers.map(({ name, value }): Header => {
    if (isMaskedPath(`header.${name}`, masking)) return { name, value: { type: "text", value: mask } };
    return { name, value: maskValue(value, masking) };
  });
}

/** As many digits as a time in milliseconds has, which is shown. */
const timeDigits = 13;

function maskValue(value: HeaderValue, masking: Masking): HeaderValue {
  if (value.type === "table") return { type: "table", value: maskHeaders(value.value, masking) };
  if (value.type === "list") return { type: "list", value: value.value.map((item) => maskValue(item, masking)) };
  const text = masking.detectors === "default" ? readableOf(value) : null;
  if (text === null) return value;
  const shown = maskText(text);
  return shown === text ? value : { type: "text", value: shown };
}

/** What could be read out of a value; null: nothing that must not be shown. */
function readableOf(value: HeaderValue): string | null {
  if (value.type === "text") return value.value;
  if (value.type === "bytes") return textOf(value.value);
  // A card's number is as well sent as a number.
  const digits = value.type === "integer" || value.type === "double" ? String(value.value) : "";
  return digits.length > timeDigits ? digits : null;
}
