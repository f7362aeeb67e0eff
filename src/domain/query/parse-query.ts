import { nearestName } from "../options.ts";
import { checkedValues } from "./check-values.ts";
import type { BareText, Comparison, Query, Term, Value } from "./query.ts";
import { type FieldName, fieldNamed, queryFields } from "./query-fields.ts";
import { queryProblem } from "./query-problem.ts";

/** Deeper nesting than a person writes would only exhaust the stack. */
const maxDepth = 50;
const maxLength = 4_000;

/**
 * Understands a search: `category:transient queue:orders age:>1h error:"timeout"`. Space means and, a comma any of, `OR`
 * either, `-` not. Refuses what it does not understand, at the character, with a guess at what was meant.
 */
export function parseQuery(text: string): Query {
  return new Parser(text).parse();
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Query {
    if (this.#text.length > maxLength)
      throw this.#problem(maxLength, 1, "The search is too long.", `Keep it under ${maxLength} characters.`);
    this.#skipSpace();
    if (this.#isAtEnd()) return { kind: "all" };
    const query = this.#either();
    if (!this.#isAtEnd())
      throw this.#problem(this.#at, 1, "Unexpected `)`.", "Take it away, or open a parenthesis before it.");
    return query;
  }

  #either(): Query {
    const parts = [this.#all()];
    while (this.#word("OR")) parts.push(this.#all());
    return joined("or", parts);
  }

  #all(): Query {
    const parts = [this.#not()];
    for (;;) {
      this.#skipSpace();
      if (this.#isAtEnd() || this.#peek() === ")" || this.#sees("OR")) return joined("and", parts);
      this.#word("AND");
      parts.push(this.#not());
    }
  }

  #not(): Query {
    this.#skipSpace();
    if (this.#peek() === "-" || this.#peek() === "!") {
      this.#at += 1;
      return { kind: "not", part: this.#deeper(() => this.#not()) };
    }
    if (this.#word("NOT")) return { kind: "not", part: this.#deeper(() => this.#not()) };
    return this.#primary();
  }

  #primary(): Query {
    this.#skipSpace();
    const start = this.#at;
    if (this.#isAtEnd()) throw this.#problem(start, 1, "Something is missing here.", "Write what to look for.");
    if (this.#peek() === ")") throw this.#problem(start, 1, "Nothing stands before `)`.", "Write what to look for.");
    if (this.#peek() !== "(") return this.#peek() === '"' ? this.#bare(this.#phrase()) : this.#termOrWord();
    this.#at += 1;
    const inside = this.#deeper(() => this.#either());
    this.#skipSpace();
    if (this.#peek() !== ")")
      throw this.#problem(start, 1, "This parenthesis is never closed.", "Write `)` where it ends.");
    this.#at += 1;
    return inside;
  }

  #termOrWord(): Query {
    const start = this.#at;
    const [name] = /^[A-Za-z_][\w.[\]*-]*(?=:)/.exec(this.#text.slice(start)) ?? [];
    if (name === undefined) {
      const text = this.#takeWord();
      if (text === "")
        throw this.#problem(start, 1, `Unexpected \`${this.#peek()}\`.`, "Quote it to look for it as text.");
      return this.#bare({ kind: "word", text, at: start });
    }
    this.#at += name.length + 1;
    return this.#term(name, start);
  }

  #term(name: string, start: number): Term {
    const dot = name.indexOf(".");
    const path = dot === -1 ? null : name.slice(dot + 1);
    const field = this.#requireField(name, (dot === -1 ? name : name.slice(0, dot)).toLowerCase(), path, start);
    const comparison = this.#comparison();
    const values = this.#values(name, start);
    const term: Term = { kind: "term", field, path, comparison, values, at: start, length: this.#at - start };
    return { ...term, values: checkedValues(this.#text, term) };
  }

  #requireField(name: string, field: string, path: string | null, start: number): FieldName {
    const known = fieldNamed(field);
    const hasRightShape = known !== undefined && (known.hasPath === true) === (path !== null && path !== "");
    // It is one of them: that is how it was found.
    if (hasRightShape) return field as FieldName;
    if (known?.hasPath)
      throw this.#problem(start, name.length, `\`${field}\` needs a name after it.`, `Such as ${field}.x-tenant:acme`);
    const nearest = nearestName(field, Object.keys(queryFields));
    const hint = nearest === undefined ? `Quote it to look for it as text: "${name}:…"` : `Did you mean ${nearest}: ?`;
    throw this.#problem(start, name.length, `Unknown filter "${name}:".`, hint);
  }

  #comparison(): Comparison {
    const [found = ""] = /^(?:>=|<=|>|<)/.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += found.length;
    return found === "" ? "=" : (found as Comparison);
  }

  #values(name: string, start: number): readonly Value[] {
    const values: Value[] = [this.#value(name, start)];
    while (this.#peek() === ",") {
      this.#at += 1;
      values.push(this.#value(name, start));
    }
    return values;
  }

  #value(name: string, start: number): Value {
    const at = this.#at;
    if (this.#peek() === '"') return this.#phrase();
    const text = this.#takeWord();
    if (text === "")
      throw this.#problem(start, at - start, `\`${name}:\` has no value.`, `Write one right after it: ${name}:…`);
    const [, from, to] = /^(.+?)\.\.(.+)$/.exec(text) ?? [];
    return from === undefined || to === undefined ? { kind: "word", text, at } : { kind: "range", from, to, at };
  }

  #phrase(): Extract<Value, { kind: "phrase" }> {
    const at = this.#at;
    const [quoted] = /^"(?:[^"\\]|\\.)*"/s.exec(this.#text.slice(at)) ?? [];
    if (quoted === undefined)
      throw this.#problem(at, this.#text.length - at, "This quote is never closed.", 'Write `"` where it ends.');
    this.#at += quoted.length;
    return { kind: "phrase", text: quoted.slice(1, -1).replace(/\\(.)/gs, "$1"), at };
  }

  #bare(value: BareText["value"]): BareText {
    if (value.text.trim() === "")
      throw this.#problem(value.at, 2, "There is nothing between these quotes.", "Write what to look for.");
    return { kind: "text", value };
  }

  #takeWord(): string {
    const [word = ""] = /^[^\s(),"]+/.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += word.length;
    return word;
  }

  #sees(word: string): boolean {
    return new RegExp(`^${word}(?=[\\s(]|$)`).test(this.#text.slice(this.#at));
  }

  /** Takes the word if it stands here. */
  #word(word: string): boolean {
    this.#skipSpace();
    if (!this.#sees(word)) return false;
    this.#at += word.length;
    return true;
  }

  #deeper<Result>(parse: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > maxDepth)
      throw this.#problem(this.#at, 1, "This goes too deep.", "Write it with fewer parentheses.");
    const result = parse();
    this.#depth -= 1;
    return result;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#peek())) this.#at += 1;
  }

  #peek(): string {
    return this.#text[this.#at] ?? "";
  }

  #isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  #problem(at: number, length: number, message: string, hint: string) {
    return queryProblem({ text: this.#text, at, length, message, hint });
  }
}

function joined(kind: "and" | "or", parts: readonly Query[]): Query {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, parts };
}
