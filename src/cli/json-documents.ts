/** A JSON document of several, and the line it begins on. */
export interface JsonDocument {
  readonly text: string;
  readonly line: number;
}

/**
 * Takes documents apart without parsing them: one a line, or the elements of a list over any number of lines. So one
 * that is broken costs itself and not the others, and each has the line that a person looks for.
 */
export async function* jsonDocuments(chunks: AsyncIterable<string>): AsyncGenerator<JsonDocument> {
  const splitter = new DocumentSplitter();
  for await (const chunk of chunks) yield* splitter.take(chunk);
  yield* splitter.end();
}

/** One character after the other, because a document may be cut anywhere between two pieces of the input. */
class DocumentSplitter {
  #mode: "undecided" | "lines" | "list" = "undecided";
  #text = "";
  #line = 1;
  #startLine = 1;
  #depth = 0;
  #inText = false;
  #escaped = false;

  *take(chunk: string): Generator<JsonDocument> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#mode === "undecided") from = this.#decide(code, at);
      else if (this.#mode === "lines" ? code === newline : this.#endsElement(code)) {
        yield* this.#document(chunk.slice(from, at));
        from = at + 1;
      }
      if (code === newline) this.#line++;
      // Blank lines before a document do not count as part of it.
      if (this.#text === "" && from > at) this.#startLine = this.#line;
    }
    this.#text += chunk.slice(from);
  }

  *end(): Generator<JsonDocument> {
    yield* this.#document("");
  }

  /** A list begins with a bracket; a letter, or a broken one, with anything else. Gives where its text begins. */
  #decide(code: number, at: number): number {
    if (code <= space) return at + 1;
    this.#mode = code === openBracket ? "list" : "lines";
    return this.#mode === "list" ? at + 1 : at;
  }

  #endsElement(code: number): boolean {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#inText = false;
      return false;
    }
    if (code === quote) this.#inText = true;
    else if (code === openBracket || code === openBrace) this.#depth++;
    else if (code === closeBracket || code === closeBrace) this.#depth--;
    return (code === comma && this.#depth === 0) || this.#depth < 0;
  }

  *#document(rest: string): Generator<JsonDocument> {
    const whole = this.#text + rest;
    const text = whole.trim();
    const blank = whole.slice(0, whole.length - whole.trimStart().length);
    const line = this.#startLine + (blank.split("\n").length - 1);
    this.#text = "";
    if (this.#depth < 0) this.#mode = "lines";
    this.#depth = 0;
    if (text !== "") yield { text, line };
  }
}

const newline = 0x0a;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
