import { memo } from "../../domain/memo.ts";

/** In characters. What tells failures apart stands near the beginning; behind it come dumps of payloads. */
const longestText = 900;
const longestTemplate = 240;

/** What stands for something that changes from letter to letter. */
const variable = "#";

/**
 * A message with everything taken out that belongs to one letter and not to the failure: ids, numbers, money, dates,
 * addresses, paths, quoted values, pieces of payloads.
 */
export function messageTemplate(message: string): string {
  const text = withoutPayloads(message.slice(0, longestText));
  const words = withoutDates(text).replaceAll(token, replaceToken);
  return tidy(words).slice(0, longestTemplate).trim();
}

/** Words in which a quoted value is a name in the code or the schema, not a value of the letter. */
const namesFollow =
  /\b(?:constraint|column|relation|table|field|fields|property|properties|attribute|parameter|param|argument|method|function|class|type|index|module|reading|setting|variable|required|missing|tag|enum|on the|unrecognized|validation for)[\s:]*\(?$/i;

const quoted = String.raw`(?<![\p{L}\p{N}])(?:"(?:[^"\\\n]|\\.){0,400}"|'(?:[^'\\\n]|\\.){0,400}'(?![\p{L}\p{N}])|${"`"}[^${"`"}\n]{0,400}${"`"}|«[^»]{0,400}»|“[^”]{0,400}”|„[^“”]{0,400}[“”]|‘[^’]{0,400}’)`;
const address = String.raw`[a-z][a-z0-9+.-]{1,15}://[^\s"'<>)\]]+|[\w.+%-]+@[\w-]+(?:\.[\w-]+)+`;
const word = String.raw`[\p{L}\p{N}_$@#*%&+~^][\p{L}\p{N}_$@#*%&+~^.:/\\|=-]*|[/\\~][\p{L}\p{N}_.~-]+(?:[/\\][\p{L}\p{N}_.@~-]*)*|[€$£¥₹]`;
const token = new RegExp(`${address}|${quoted}|${word}`, "giu");

/** Most words of a message; none of the rules below would touch one. */
const shortWord = /^[a-z]{1,7}$/;

function replaceToken(found: string, offset: number, whole: string): string {
  if (shortWord.test(found)) return found;
  if (/^["'`«“„‘]/.test(found)) return replaceQuoted(found, whole.slice(Math.max(0, offset - 24), offset));
  return /\d/.test(found) ? replaceBare(found, offset, whole) : replacePlain(found);
}

/** Without a digit it does not matter what stands around it; and the words of programs are few, what is a letter's own is not. */
const replacePlain = memo((found) => replaceBare(found, 0, ""), { worthKeeping: (made) => !made.includes(variable) });

function replaceBare(found: string, offset: number, whole: string): string {
  const ending = /[.:,;|-]+$/.exec(found)?.[0] ?? "";
  const bare = ending === "" ? found : found.slice(0, -ending.length);
  return keepsItsNumber(bare, whole, offset) ? found : replaceWord(bare) + ending;
}

/** A quoted name of the schema or the code is part of the failure; any other quoted value is the letter's. */
function replaceQuoted(found: string, before: string): string {
  const inner = found.slice(1, -1);
  if (/^[1-5]\d\d [A-Z]/.test(inner)) return ` ${inner} `;
  return namesFollow.test(before) && isName(inner) ? ` ${inner} ` : variable;
}

/** As a column or a field is called: no digits, no spaces, not a word of prose or a value in capitals. */
function isName(text: string): boolean {
  return /^[a-z_][A-Za-z_.]{1,60}$/.test(text) || /^[A-Z]+_[A-Z_]+$/.test(text) || /^(?:[A-Z][a-z]+){2,}$/.test(text);
}

/** Numbers that say what failed, not whom it failed for: HTTP statuses, errno, codes of databases. */
function keepsItsNumber(bare: string, whole: string, offset: number): boolean {
  if (/^(?:ORA|PLS|TNS|SQLSTATE|CVE|RFC)[-[]?\w+$/i.test(bare) || /^E11000$/.test(bare)) return true;
  if (!/^-?\d{1,5}[A-Z]?\d{0,2}$/.test(bare)) return false;
  const before = whole.slice(Math.max(0, offset - 18), offset).toLowerCase();
  if (
    /(?:errno|sqlstate\[?|exit code|exit status|signal|os error|curl error|error code|reply-code)[\s:=(]*$/.test(before)
  )
    return true;
  return /^[1-5]\d\d$/.test(bare) && /(?:status|status code|http|code|error|response)[\s:=(/]*$/.test(before);
}

function replaceWord(text: string): string {
  if (text.includes("://")) return variable;
  const at = text.indexOf("=");
  // `customer=acme`: the value is the letter's, whatever it looks like.
  if (at > 0 && at < text.length - 1) return `${text.slice(0, at)}=${variable}`;
  if (!isVariable(text)) return text;
  // `s3:PutObject`, `App::Order#12`: one part of a name may be the failure's, another the letter's.
  return /^[\w.-]+(?::+[\w./*-]+)+$/.test(text) ? text.split(/:+/).map(replacePart).join(" ") : variable;
}

const replacePart = (part: string) => (isVariable(part) ? variable : part);

function isVariable(text: string): boolean {
  if (/\p{N}/u.test(text) || text.includes("@") || text.includes("://")) return true;
  if (/\/.*\/|^[/\\~]|^[A-Za-z]:\\/.test(text)) return true;
  if (
    /^[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|io|dev|local|internal|example|test|cloud|svc|cluster|app|co|de|uk|eu|fr|us|lan|corp|exmaple)$/i.test(
      text,
    )
  )
    return true;
  return isRandom(text);
}

/** Letters as only chance or an encoding puts them: long runs of a to f, capitals and small letters in turns, padding. */
function isRandom(text: string): boolean {
  if (/^[a-f]{8,}$/i.test(text) || /^[A-Za-z0-9+/_-]{6,}={1,2}$/.test(text)) return true;
  return text.length >= 10 && text.split(/[^A-Za-z]+/).some(isScrambled);
}

function isScrambled(letters: string): boolean {
  if (letters.length < 10) return false;
  const turns = letters.match(/[a-z](?=[A-Z])/g)?.length ?? 0;
  if (turns > letters.length / 5.5 || /[bcdfghjklmnpqrstvwxz]{7}/i.test(letters)) return true;
  return /[a-z]/.test(letters) && /[A-Z]/.test(letters) && !joinedWords.test(letters);
}

/** `JSONDecodeError`, `orderId`, `PdfURL`: words put together the way programmers do. */
const joinedWords = /^(?:[A-Z]{1,6}(?=[A-Z][a-z])|[A-Z]?[a-z]{3,}|[A-Z]{2,6}$|[A-Z]?[a-z]{1,2}(?=[A-Z]|$))+$/;

/** What an answer or a payload says of the error stays; the rest of it goes. */
const telling =
  /["'](?:message|msg|reason|detail|details|title|type|error|errorCode|error_code|code|error_description|description|errorMessage|error_message|Message|Code)["']\s*:\s*(?:"((?:[^"\\]|\\.){1,200})"|'((?:[^'\\]|\\.){1,200})')/g;

function withoutPayloads(text: string): string {
  if (!text.includes("{") && !text.includes("[{")) return text;
  let result = "";
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index);
    if (sign === "{") {
      if (depth === 0) {
        result += text.slice(start, index);
        start = index;
      }
      depth += 1;
    } else if (sign === "}" && depth > 0) {
      depth -= 1;
      if (depth === 0) {
        result += essence(text.slice(start, index + 1));
        start = index + 1;
      }
    }
  }
  return result + (depth > 0 ? essence(text.slice(start)) : text.slice(start));
}

function essence(snippet: string): string {
  // Tuples of Erlang and the like are words in braces, not a payload.
  if (!/[:=]/.test(snippet)) return snippet.replaceAll(/[{}]/g, " ");
  const said = [...snippet.matchAll(telling)].map((match) => match[1] ?? match[2] ?? "");
  return said.length === 0 ? " {} " : ` ${said.join(" ")} `;
}

const month = "(?:jan|feb|m[aä]r|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*";
const day = "(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*";
const date = new RegExp(
  String.raw`\b(?:${day},? )?(?:\d{1,2}\.?[ -]${month}\.?|${month}\.? \d{1,2}(?:st|nd|rd|th)?),?(?:[ -]\d{2,4})?(?:,? (?:at )?\d{1,2}:\d{2}(?::\d{2})?)?(?: ?[ap]m\b)?(?: (?:GMT|UTC|CES?T|[ECMP][SD]T)\b)?(?: ?[+-]\d{4})?`,
  "gi",
);

function withoutDates(text: string): string {
  return /\d/.test(text) ? text.replaceAll(date, variable) : text;
}

const units =
  "ns|µs|us|ms|msec|millis|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|bytes?|[kmgt]i?b|%|percent|euros?|dollars?|[€$£¥₹]";
const currencies =
  "EUR|USD|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|NZD|BRL|MXN|ZAR|SGD|HKD|KRW|TRY|ILS|AED|THB|IDR|MYR|RON|BGN";

const withUnit = new RegExp(String.raw`#\s?(?:${units}|${currencies})(?![\w#])`, "g");
const withCurrency = new RegExp(String.raw`(?<![\w#])(?:${currencies}|[€$£¥₹])\s?#`, "g");
const valueInParentheses = /=\s*\([^)]*\)/g;
const listInParentheses = /\((?=[^()]*#)[^()]*,[^()]*\)/g;
const listInBrackets = /\[(?=[^\][]*#)[^\][]*,[^\][]*\]/g;
const joined = /#(?:(?:[\s,;:/|+.x*-]|and|or|to|und|et)*#)+/g;

/** Several variables in a row are one: lists of ids, numbers with units, money with its currency. */
function tidy(text: string): string {
  const counted = text.includes(variable) ? joinVariables(text) : text;
  return counted.toLowerCase().replaceAll(/[^\p{L}\p{N}#_=]+/gu, " ");
}

function joinVariables(text: string): string {
  return text
    .replaceAll(withUnit, variable)
    .replaceAll(withCurrency, variable)
    .replaceAll(valueInParentheses, `=${variable}`)
    .replaceAll(listInParentheses, `(${variable})`)
    .replaceAll(listInBrackets, `[${variable}]`)
    .replaceAll(joined, variable);
}
