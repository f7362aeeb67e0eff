import { isLong } from "./mask-long-text.ts";
import { isMaskedPath, type Masking, mask, maskText, maskTextInSteps } from "./redaction.ts";
import { allSteps, type Steps } from "./steps.ts";

/**
 * Levels whose place is written out, where any place is named; below them only the last name decides. Nobody names a place that
 * deep, and with all of it a letter of 100,000 levels would keep whoever shows it busy for minutes.
 */
const deepestPath = 64;
/** Of a longer name only its end is looked at, or one name of a megabyte would be read again for each value behind it. */
const longestName = 200;
/** So many names are remembered with whether they are secret: rows by the thousand have the same. */
const rememberedNames = 1_000;
/** Characters looked at in one step. */
const charactersAtOnce = 262_144;

interface Level {
  readonly path: string;
  readonly isList: boolean;
  index: number;
  /** In an object: the name that the next value belongs to. */
  name: string | null;
}

/**
 * A payload as text with what must not be shown taken out. JSON is walked as it is written and never parsed and printed
 * again, so large numbers, order and spaces stay as they came; broken JSON is masked as far as it goes.
 *
 * Takes time and memory by the length of the text alone, whatever is in it: strings of any length, and any depth.
 */
export function maskPayload(text: string, masking: Masking): string {
  return allSteps(maskInSteps(text, masking));
}

/** The same in steps, between which something else may run; the last one gives the text. */
export function* maskInSteps(text: string, masking: Masking, atOnce = charactersAtOnce): Steps<string> {
  const looksJson = /^\s*[[{"]/.test(text);
  if (looksJson) return yield* new JsonMask(text, masking).steps(atOnce);
  return masking.detectors === "default" ? yield* maskTextInSteps(text) : text;
}

class JsonMask {
  readonly #text: string;
  readonly #masking: Masking;
  readonly #levels: Level[] = [];
  readonly #secretNames = new Map<string, boolean>();
  /** How deep the value is that is being left out; 0 while nothing is. */
  #hiddenFrom = 0;
  #at = 0;
  /** What is shown so far, up to what is kept as it is from here on. */
  readonly #shown: string[] = [];
  #keptFrom = 0;

  constructor(text: string, masking: Masking) {
    this.#text = text;
    this.#masking = masking;
  }

  *steps(atOnce: number): Steps<string> {
    const { length } = this.#text;
    for (let pause = atOnce; this.#at < length; ) {
      const start = this.#at;
      const part = this.#take();
      if (part !== null) this.#show(start, part, yield* maskTextInSteps(part));
      if (this.#at < pause) continue;
      pause = this.#at + atOnce;
      yield;
    }
    if (this.#keptFrom === 0) return this.#text;
    this.#shown.push(this.#text.slice(this.#keptFrom));
    return this.#shown.join("");
  }

  /**
   * The next token: a bracket, a comma, a colon, a string, a run of spaces, or a run of anything else. Not null: it is too long to be
   * looked at in one step, and still to be.
   */
  #take(): string | null {
    const start = this.#at;
    const code = this.#text.charCodeAt(start);
    switch (code) {
      case openBrace:
      case openBracket:
        this.#at += 1;
        this.#open(start, code === openBracket);
        return null;
      case closeBrace:
      case closeBracket:
        this.#at += 1;
        this.#close(start);
        return null;
      case comma:
      case colon:
        this.#at += 1;
        this.#punctuation(start, code === comma);
        return null;
      default:
        this.#at = endOfToken(this.#text, start, code);
        if (!isSpace(code)) return this.#word(start);
        this.#hide(start);
        return null;
    }
  }

  #open(start: number, isList: boolean): void {
    const hides = this.#hiddenFrom === 0 && this.#levels.length > 0 && this.#isMasked();
    const path = this.#namesPlaces() ? this.#path() : "";
    this.#levels.push({ path, isList, index: 0, name: null });
    if (hides) this.#replace(start, hidden);
    else this.#hide(start);
    if (hides) this.#hiddenFrom = this.#levels.length;
  }

  #close(start: number): void {
    this.#hide(start);
    if (this.#hiddenFrom === this.#levels.length) this.#hiddenFrom = 0;
    this.#levels.pop();
  }

  #punctuation(start: number, isComma: boolean): void {
    const level = this.#levels.at(-1);
    if (isComma && level !== undefined) {
      level.index += 1;
      level.name = null;
    }
    this.#hide(start);
  }

  #word(start: number): string | null {
    const level = this.#levels.at(-1);
    const part = this.#text.slice(start, this.#at);
    // People are listed by their addresses, too: names are looked at as values are.
    const isName = level !== undefined && !level.isList && level.name === null;
    if (isName) level.name = nameOf(part);
    if (this.#hiddenFrom > 0) this.#hide(start);
    else if (!isName && this.#isMasked()) this.#replace(start, hidden);
    else if (this.#masking.detectors === "default") return this.#detect(start, part, isName);
    return null;
  }

  #detect(start: number, part: string, isName: boolean): string | null {
    const isText = isName || part.startsWith('"');
    if (isText && isLong(part)) return part;
    const shown = maskText(part);
    // A number that is masked must not leave what is no JSON any more: people edit what they are shown.
    this.#show(start, part, isText || shown === part ? shown : hidden);
    return null;
  }

  /** Left out, where it is in what is being left out. */
  #hide(start: number): void {
    if (this.#hiddenFrom > 0) this.#replace(start, "");
  }

  #show(start: number, part: string, shown: string): void {
    if (shown !== part) this.#replace(start, shown);
  }

  /** Puts something in the place of the token that was just taken. */
  #replace(start: number, shown: string): void {
    if (this.#keptFrom < start) this.#shown.push(this.#text.slice(this.#keptFrom, start));
    if (shown !== "") this.#shown.push(shown);
    this.#keptFrom = this.#at;
  }

  #isMasked(): boolean {
    const level = this.#levels.at(-1);
    if (level === undefined || this.#namesPlaces()) return isMaskedPath(this.#path(), this.#masking);
    // Only the name decides: of a list its own, and one that is secret was left out as a whole.
    return !level.isList && this.#isSecretName(level.name ?? "");
  }

  #namesPlaces(): boolean {
    return this.#masking.paths.length > 0 && this.#levels.length <= deepestPath;
  }

  #isSecretName(name: string): boolean {
    const known = this.#secretNames.get(name);
    if (known !== undefined) return known;
    const isSecret = isMaskedPath(`body.${name}`, { ...this.#masking, paths: [] });
    if (this.#secretNames.size < rememberedNames) this.#secretNames.set(name, isSecret);
    return isSecret;
  }

  #path(): string {
    const level = this.#levels.at(-1);
    if (level === undefined) return "body";
    return level.isList ? `${level.path}[${level.index}]` : `${level.path}.${level.name ?? ""}`;
  }
}

const hidden = `"${mask}"`;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Behind the token that begins there, by hand: a regular expression over a long string exhausts its stack. */
function endOfToken(text: string, start: number, first: number): number {
  if (first === quote) return endOfString(text, start);
  const inSpace = isSpace(first);
  let end = start + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (isMark(code) || isSpace(code) !== inSpace) break;
  }
  return end;
}

/** Behind the next quote that is not escaped. One that never ends is all the rest: looked for again, it would be so for each quote. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash && before - 1 > start) before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return text.length;
}

function isMark(code: number): boolean {
  return (
    code === quote ||
    code === comma ||
    code === colon ||
    code === openBracket ||
    code === closeBracket ||
    code === openBrace ||
    code === closeBrace
  );
}

/** What a regular expression calls a space. */
function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0xa0) return false;
  return code === 0xa0 || code === 0xfeff || otherSpaces.has(code);
}

const otherSpaces: ReadonlySet<number> = new Set([
  ...[0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
  ...Array.from({ length: 11 }, (_, index) => 0x2000 + index),
]);

/** Python writes its own with apostrophes. */
function nameOf(part: string): string {
  const end = part.length > longestName ? part.slice(-longestName) : part;
  try {
    return String(JSON.parse(end));
  } catch {
    return end.replace(/^u?'(.*)'$/su, "$1").replace(/^"|"$/gu, "");
  }
}
