import type { Knowledge } from "./knowledge/knowledge.ts";
import type { Row } from "./knowledge/read-table.ts";
import { systemWords } from "./knowledge/systems.ts";
import { type Hit, type PhraseScanner, phraseScanner } from "./phrase-scanner.ts";
import { allTopics, type CategorisedTopic } from "./topics/all-topics.ts";

/** Words of a text that mean something to triage. */
export interface Mention {
  readonly about: CategorisedTopic | Row;
  /** The words, as the lexicon writes them. */
  readonly words: string;
  readonly start: number;
  readonly end: number;
}

export interface ReadText {
  readonly mentions: readonly Mention[];
  /** Systems the text speaks of: what `Knowledge.findCode` wants to know. */
  readonly systems: readonly string[];
}

/** Everything that is recognised by words, in one scanner: topics, known texts, names of systems. */
export interface Lexicon {
  read(text: string): ReadText;
}

/** In characters. What tells failures apart stands near the beginning; a body quoted behind it must not slow us down. */
const longestText = 1_500;
/** How far apart, in symbols, the pieces of one phrase may stand. */
const reach = 90;

/** What a phrase of the scanner stands for: part of one entry, or of several. */
interface Entry {
  readonly about: CategorisedTopic | Row | string;
  readonly words: string;
  /** Numbers of the scanner's phrases that must all be there. */
  readonly pieces: readonly number[];
}

export function buildLexicon(knowledge: Knowledge): Lexicon {
  const numbers = new Map<string, number>();
  const entries = [
    ...allTopics.flatMap((topic) => entriesOf(topic, topic.phrases, numbers)),
    ...knowledge.messages.filter(isNews).flatMap((row) => entriesOf(row, row.key, numbers)),
    ...Object.entries(systemWords).flatMap(([system, words]) => entriesOf(system, words, numbers)),
  ];
  const scanner = phraseScanner([...numbers.keys()]);
  const byPiece = Array.from(numbers, () => [] as Entry[]);
  for (const entry of entries) byPiece[entry.pieces[0] ?? 0]?.push(entry);
  return { read: (text) => readText(text, scanner, byPiece) };
}

/** A topic says what its words mean; a row with the same words only which category they are. */
function isNews({ key, category }: Row): boolean {
  return !allTopics.some((topic) => topic.category === category && topic.phrases.includes(` ${key.toLowerCase()} `));
}

function entriesOf(about: Entry["about"], phrases: string, numbers: Map<string, number>): Entry[] {
  // Knowledge holds pieces of messages as they are; only topics and systems list several.
  const list = typeof about === "object" && "kind" in about ? [phrases] : phrases.split("|");
  return list.map((phrase) => {
    const words = phrase.trim();
    return { about, words, pieces: words.split(" + ").map((piece) => numberOf(piece.trim(), numbers)) };
  });
}

function numberOf(piece: string, numbers: Map<string, number>): number {
  const known = numbers.get(piece);
  if (known !== undefined) return known;
  numbers.set(piece, numbers.size);
  return numbers.size - 1;
}

const silence: ReadText = { mentions: [], systems: [] };

function readText(text: string, scanner: PhraseScanner, byPiece: readonly (readonly Entry[])[]): ReadText {
  const hits = scanner.scan(text, longestText);
  if (hits.length === 0) return silence;
  const mentions: Mention[] = [];
  const systems: string[] = [];
  for (const hit of hits)
    for (const entry of byPiece[hit.phrase] ?? []) {
      const span = entry.pieces.length === 1 ? hit : spanOf(entry, hit, hits);
      if (span === undefined) continue;
      if (typeof entry.about === "string") systems.push(entry.about);
      else mentions.push({ about: entry.about, words: entry.words, start: span.start, end: span.end });
    }
  return { mentions: mentions.length > 1 ? withoutParts(mentions) : mentions, systems };
}

/** From the first to the last of an entry's pieces, if they follow each other and are not far apart. */
function spanOf({ pieces }: Entry, first: Hit, hits: readonly Hit[]): { start: number; end: number } | undefined {
  let { end } = first;
  for (const piece of pieces.slice(1)) {
    const near = hits.find(({ phrase, start }) => phrase === piece && start >= end - 1 && start <= end + reach);
    if (near === undefined) return undefined;
    end = near.end;
  }
  return { start: first.start, end };
}

/** `timed out` inside `connection timed out` says nothing of its own. */
function withoutParts(mentions: readonly Mention[]): Mention[] {
  return mentions.filter(
    (mention) =>
      !mentions.some(
        (other) =>
          other.start <= mention.start &&
          other.end >= mention.end &&
          other.end - other.start > mention.end - mention.start,
      ),
  );
}
