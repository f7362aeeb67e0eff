/** A phrase found in a text. Positions count the symbols of the text as it is read: see `symbolOf`. */
export interface Hit {
  readonly phrase: number;
  readonly start: number;
  readonly end: number;
}

/** Finds all of many phrases in one pass over a text, whatever their number. */
export interface PhraseScanner {
  scan(text: string, maxCharacters: number): readonly Hit[];
}

/** Space, 26 letters, 10 digits. Everything else reads as a space, and several spaces as one. */
const alphabet = 37;
const space = 0;
/** Not in the alphabet: a character that is left out, such as an accent. */
const nothing = 255;

/**
 * An Aho-Corasick automaton over words.
 *
 * `phrases` match whole words, case and punctuation aside; a `*` at the end lets the last word go on. Words are also set
 * apart where small letters meet a capital, so that `TooManyRequests` reads as `too many requests`.
 */
export function phraseScanner(phrases: readonly string[]): PhraseScanner {
  const read = phrases.map(symbolsOf);
  const automaton = link(plant(read));
  const lengths = read.map(({ length }) => length);
  return { scan: (text, most) => walk(text, Math.min(text.length, most), automaton, lengths) };
}

interface Trie {
  readonly children: Map<number, number>[];
  /** The phrases that end at a node; after `link` also those that end there as the tail of another. */
  readonly ends: number[][];
}

function plant(phrases: readonly Uint8Array[]): Trie {
  const trie: Trie = { children: [new Map<number, number>()], ends: [[]] };
  phrases.forEach((symbols, phrase) => {
    let node = 0;
    for (const symbol of symbols) node = childOf(trie, node, symbol);
    trie.ends[node]?.push(phrase);
  });
  return trie;
}

function childOf({ children, ends }: Trie, node: number, symbol: number): number {
  const known = children[node]?.get(symbol);
  if (known !== undefined) return known;
  children[node]?.set(symbol, children.length);
  children.push(new Map());
  ends.push([]);
  return children.length - 1;
}

/**
 * The automaton. Nodes that branch have a row for all symbols; the many that only lead on have one symbol and one child,
 * so that all of it fits the processor's cache.
 */
interface Automaton {
  /** Nodes below this number have rows. */
  readonly branching: number;
  /** Of a branching node: where to go on with each symbol, also after a phrase broke off. */
  readonly rows: Uint16Array;
  /** Of any other node: the one symbol it leads on with, where to, and where to look when it is another symbol. */
  readonly only: Uint8Array;
  readonly child: Uint16Array;
  readonly fallback: Uint16Array;
  /** 1 where anything is found: asked for every character, so it must be small. */
  readonly isEnd: Uint8Array;
  readonly ends: readonly (readonly number[])[];
}

function link(trie: Trie): Automaton {
  const { children, ends } = trie;
  const { order, numbers, branching } = numbered(trie);
  const found: number[][] = [];
  const parts = {
    rows: new Uint16Array(branching * alphabet),
    only: new Uint8Array(order.length).fill(nothing),
    child: new Uint16Array(order.length),
    fallback: new Uint16Array(order.length),
  };
  // Nearest the root first: a node's fallback is always nearer than the node.
  for (const node of breadthFirst(trie)) {
    const at = numbers[node] ?? 0;
    const back = parts.fallback[at] ?? 0;
    found[at] = [...(ends[node] ?? []), ...(node === 0 ? [] : (found[back] ?? []))];
    const row = at < branching ? parts.rows.subarray(at * alphabet, (at + 1) * alphabet) : undefined;
    if (row !== undefined && node !== 0)
      for (let symbol = 0; symbol < alphabet; symbol++) row[symbol] = moveFrom(back, symbol, { branching, ...parts });
    for (const [symbol, next] of children[node] ?? []) {
      const to = numbers[next] ?? 0;
      parts.fallback[to] = node === 0 ? 0 : moveFrom(back, symbol, { branching, ...parts });
      if (row === undefined) {
        parts.only[at] = symbol;
        parts.child[at] = to;
      } else row[symbol] = to;
    }
  }
  return { branching, ...parts, isEnd: Uint8Array.from(found, (list) => (list.length === 0 ? 0 : 1)), ends: found };
}

/** Branching nodes first, in the order of their distance from the root. */
function numbered(trie: Trie): {
  readonly order: readonly number[];
  readonly numbers: Uint32Array;
  readonly branching: number;
} {
  const all = breadthFirst(trie);
  if (all.length > 65_536) throw new RangeError("More phrases than the scanner has room for");
  const wide = all.filter((node) => node === 0 || (trie.children[node]?.size ?? 0) > 1);
  const isWide = new Set(wide);
  const order = [...wide, ...all.filter((node) => !isWide.has(node))];
  const numbers = new Uint32Array(all.length);
  order.forEach((node, at) => {
    numbers[node] = at;
  });
  return { order, numbers, branching: wide.length };
}

function breadthFirst({ children }: Trie): readonly number[] {
  const order = [0];
  for (let at = 0; at < order.length; at++) order.push(...(children[order[at] ?? 0]?.values() ?? []));
  return order;
}

function moveFrom(start: number, symbol: number, automaton: Omit<Automaton, "isEnd" | "ends">): number {
  const { branching, rows, only, child, fallback } = automaton;
  let node = start;
  while (node >= branching) {
    if (only[node] === symbol) return child[node] ?? 0;
    node = fallback[node] ?? 0;
  }
  return rows[node * alphabet + symbol] ?? 0;
}

function walk(text: string, length: number, automaton: Automaton, lengths: readonly number[]): readonly Hit[] {
  const { isEnd, ends } = automaton;
  const hits: Hit[] = [];
  let node = moveFrom(0, space, automaton);
  let position = 1;
  let previous = space;
  // One turn beyond the end, for the space that ends the last word.
  for (let index = 0; index <= length; index++) {
    const code = index === length ? 32 : text.charCodeAt(index);
    const symbol = code < 0x180 ? (symbols[code] ?? space) : symbolOf(code);
    if (symbol === nothing || (symbol === space && previous === space)) continue;
    if (code >= 65 && code <= 90 && previous !== space && beginsWord(text, index)) {
      node = moveFrom(node, space, automaton);
      position += 1;
      if (isEnd[node] === 1) note(ends[node], position, lengths, hits);
    }
    position += 1;
    previous = symbol;
    // Every phrase begins with a space: in the middle of a word that none begins with there is nowhere to go.
    if (node === 0 && symbol !== space) continue;
    node = moveFrom(node, symbol, automaton);
    if (isEnd[node] === 1) note(ends[node], position, lengths, hits);
  }
  return hits;
}

function note(found: readonly number[] = [], end: number, lengths: readonly number[], hits: Hit[]): void {
  for (const phrase of found) hits.push({ phrase, start: end - (lengths[phrase] ?? 0), end });
}

/** `readTimeout` and `JSONError`: a capital after a small letter, or before one at the end of a row of capitals. */
function beginsWord(text: string, index: number): boolean {
  if (!isCapital(text.charCodeAt(index))) return false;
  return !isCapital(text.charCodeAt(index - 1)) || isSmall(text.charCodeAt(index + 1));
}

const isCapital = (code: number) => code >= 65 && code <= 90;
const isSmall = (code: number) => code >= 97 && code <= 122;

/** Letters of any case and accent as a to z, digits, and a space for the rest. */
function symbolOf(code: number): number {
  return symbols[code] ?? (code >= 0x300 && code < 0x370 ? nothing : space);
}

const symbols = Uint8Array.from({ length: 0x180 }, (_, code) => {
  const letter = String.fromCharCode(code).normalize("NFD").charCodeAt(0) | 0x20;
  if (isSmall(letter)) return letter - 96;
  return code >= 48 && code <= 57 ? code - 21 : space;
});

/** A phrase as it is matched: a space before its first word, and after its last unless it may go on. */
function symbolsOf(phrase: string): Uint8Array {
  const open = phrase.endsWith("*");
  const read: number[] = [space];
  for (let index = 0; index < phrase.length; index++) {
    const symbol = symbolOf(phrase.charCodeAt(index));
    const last = read.at(-1);
    if (last !== space && symbol !== space && beginsWord(phrase, index)) read.push(space);
    if (symbol !== space || read.at(-1) !== space) read.push(symbol);
  }
  if (read.at(-1) === space && read.length > 1) read.pop();
  return Uint8Array.from(open ? read : [...read, space]);
}
