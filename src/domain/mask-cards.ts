/** Digits with single spaces or dashes among them, as long as they go on; the last may belong to a word. */
const numbers = /(?<!\w)\d(?:[ -]?\d)*/g;
const enoughDigits = /\d(?:[ -]?\d){12}/;

/**
 * UUIDs and `traceparent`s. One in 10,000 has somewhere what could be a card's number, so their shape decides: a UUID has its
 * version and variant in place and a letter in it. Whoever wants to hide a card in one can do so; nobody does by mistake.
 */
const ids =
  /(?<![\da-z])(?:(?=[\d-]{0,35}[a-f])[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2})(?![\da-z])/gi;

/** The text with `mask` for each card number in it: 13 to 19 digits, with spaces or dashes, the last of which checks the others. */
export function maskCards(text: string, mask: string): string {
  if (!enoughDigits.test(text)) return text;
  let shown = "";
  let from = 0;
  for (const { 0: id, index } of text.matchAll(ids)) {
    shown += maskNumbers(text.slice(from, index), mask) + id;
    from = index + id.length;
  }
  return shown + maskNumbers(text.slice(from), mask);
}

function maskNumbers(text: string, mask: string): string {
  return text.replace(numbers, (run: string, at: number) => {
    if (run.length < fewest) return run;
    const belongsToAWord = /^\w/.test(text.slice(at + run.length, at + run.length + 1));
    return maskRun(run, belongsToAWord, mask);
  });
}

/** Digits without a space or dash among them, and where they are in their run. */
interface DigitGroup {
  readonly at: number;
  readonly digits: string;
}

function maskRun(run: string, endsInAWord: boolean, mask: string): string {
  const all = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }): DigitGroup => ({ at: index, digits }));
  const groups = endsInAWord ? all.slice(0, -1) : all;
  let shown = "";
  let from = 0;
  for (const [first, last] of cardsIn(groups)) {
    shown += run.slice(from, first.at) + mask;
    from = last.at + last.digits.length;
  }
  return shown + run.slice(from);
}

type Span = readonly [first: DigitGroup, last: DigitGroup];

/** Grouped as cards print them, wherever among other numbers; between those, in any groups, as long as they can be together. */
function cardsIn(groups: readonly DigitGroup[]): readonly Span[] {
  const spans: Span[] = [];
  let rest: DigitGroup[] = [];
  for (let at = 0; at < groups.length; at++) {
    const group = groups[at] as DigitGroup;
    const count = mayBegin(group.digits.length) ? printedCardAt(groups, at) : 0;
    if (count === 0) {
      rest.push(group);
      continue;
    }
    spans.push(...looseCardsIn(rest), [group, groups[at + count - 1] as DigitGroup]);
    rest = [];
    at += count - 1;
  }
  return [...spans, ...looseCardsIn(rest)];
}

/** How cards print their digits, and people read them out. */
const printed = new Set(["4 4 4 4", "4 6 5", "4 6 4", "4 4 4 4 3", "4 4 4 4 1", "4 4 4 4 2", "4 4 4 1", "8 8", "6 13"]);
const mostGroups = 5;
const mayBegin = (length: number) => length === 4 || length === 6 || length === 8 || length >= fewest;

/** How many groups from there on are a card, the longest that could be one; 0: none. */
function printedCardAt(groups: readonly DigitGroup[], at: number): number {
  let lengths = "";
  let digits = "";
  let longest = 0;
  for (let count = 1; count <= mostGroups; count++) {
    const group = groups[at + count - 1];
    if (group === undefined || digits.length + group.digits.length > most) break;
    lengths += `${count === 1 ? "" : " "}${group.digits.length}`;
    digits += group.digits;
    if ((count === 1 || printed.has(lengths)) && isCard(digits)) longest = count;
  }
  return longest;
}

/** One after the other, each of as many groups as a card can have digits. */
function looseCardsIn(groups: readonly DigitGroup[]): readonly Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < groups.length; at++) {
    let digits = "";
    let end = at;
    for (; end < groups.length; end++) {
      const more = digits + groups[end]?.digits;
      if (more.length > most) break;
      digits = more;
    }
    if (digits.length < fewest) continue;
    if (isCard(digits)) spans.push([groups[at] as DigitGroup, groups[end - 1] as DigitGroup]);
    at = end - 1;
  }
  return spans;
}

const fewest = 13;
const most = 19;

/** Whether its last digit is the check digit of the others (Luhn), and an issuer has numbers of that length. */
function isCard(digits: string): boolean {
  return digits.length >= fewest && digits.length <= most && isIssued(digits) && isChecked(digits);
}

/** Times in milliseconds to nanoseconds begin with a 1: of cards only those of airlines do, with 15 digits. 13 are of the oldest alone. */
function isIssued(digits: string): boolean {
  if (digits.startsWith("1")) return digits.length === 15;
  return digits.length > fewest || /^[456]/.test(digits);
}

function isChecked(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && !/^(\d)\1*$/.test(digits);
}
