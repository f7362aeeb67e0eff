import { RE2JS, RE2JSException } from "re2js";

/** A pattern of a user, on an engine whose time grows with the text and not with the pattern's cunning. */
export interface Pattern {
  readonly text: string;
  matches(subject: string): boolean;
}

/** What is wrong with a pattern, as the end of "pattern …". */
export class PatternProblem extends Error {
  override readonly name = "PatternProblem";
}

/** In characters. */
const longest = { pattern: 1_000, subject: 8_192 };

/** Compiles a pattern, or throws a `PatternProblem`. Longer subjects are looked at as far as 8,192 characters. */
export function compilePattern(text: string): Pattern {
  if (text.length > longest.pattern) throw new PatternProblem(`is longer than ${longest.pattern} characters`);
  const engine = compile(text);
  const literal = requiredLiteral(text);
  return {
    text,
    matches: (subject) => {
      const cut = subject.length > longest.subject ? subject.slice(0, longest.subject) : subject;
      // Looking for plain text is many times faster, and rules out nearly every letter.
      return (literal === "" || cut.includes(literal)) && engine.test(cut);
    },
  };
}

function compile(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const why = error.message.replace(/^error parsing regexp: /, "");
    const hint = /\(\?[=!<]/.test(text) ? "; looking ahead or behind is not offered, since it can take for ever" : "";
    throw new PatternProblem(`is not a pattern: ${why}${hint}`);
  }
}

/** The longest text that every match holds, or none if that cannot be told at a glance. */
export function requiredLiteral(pattern: string): string {
  // Alternatives and flags change what is required; parentheses may be optional as a whole.
  if (/[|]|\(\?|\\[QE]/.test(pattern)) return "";
  const flat = pattern.replaceAll(/\\[^\w]/g, "\u0000").replaceAll(/\\\w|\[(?:\\.|[^\]])*\]/g, "\u0000");
  const outside = flat.replaceAll(/\([^()]*\)/g, "\u0000").replaceAll(/\{[^}]*\}/g, "{");
  if (/[()]/.test(outside)) return "";
  const runs = outside.match(/[A-Za-z0-9 _:,'"/=<>#@%&;!~`-]+[?*{]?/g) ?? [];
  return runs.map(withoutOptionalEnd).reduce((best, run) => (run.length > best.length ? run : best), "");
}

/** What a quantifier follows may be missing. */
function withoutOptionalEnd(run: string): string {
  return /[?*{]$/.test(run) ? run.slice(0, -2) : run;
}
