/**
 * The terms of a search that all have to hold, as they were typed: what is in brackets is one, and so is the whole of a search
 * whose alternatives are in none.
 */
export function termsOf(q: string): readonly string[] {
  const words = wordsOf(q);
  if (isEither(words)) return [q.trim()];
  const terms: string[] = [];
  let negation = "";
  for (const word of words) {
    // Space says the same, and by itself it is no search.
    if (word === "AND") continue;
    if (word === "NOT" || /^[-!]+$/.test(word)) negation += `${word} `;
    else {
      terms.push(`${negation}${word}`);
      negation = "";
    }
  }
  return terms;
}

function isEither(words: readonly string[]): boolean {
  return words.some((word) => /(?:^|")OR$/.test(word));
}

/** What stands between spaces and brackets, which count only outside of quotes; what is in brackets is one. */
function wordsOf(q: string): readonly string[] {
  const words = [""];
  let depth = 0;
  for (const [piece] of q.matchAll(/"(?:[^"\\]|\\.)*"|[\s\S]/g)) {
    if (piece === "(" && depth++ === 0 && !/^[-!]*$/.test(words.at(-1) ?? "")) words.push("");
    if (depth === 0 && /^\s$/.test(piece)) words.push("");
    else words.push(`${words.pop()}${piece}`);
    if (piece === ")" && --depth === 0) words.push("");
  }
  return words.filter((word) => word !== "");
}

/** A value as the query language reads it back: in quotes where it needs them. */
export function term(field: string, value: string): string {
  return /^[\w./@-]+$/.test(value) ? `${field}:${value}` : `${field}:"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** The letters of a queue that wait for somebody, whatever its name is made of. */
export function waitingIn(source: string, queue: string): string {
  return [term("source", source), term("queue", queue), "state:open,returned"].join(" ");
}

export function withTerm(q: string, added: string): string {
  const terms = termsOf(q);
  if (terms.includes(added)) return q;
  // Without brackets what is added would be part of the last alternative.
  return [...(isEither(wordsOf(q)) ? [`(${q.trim()})`] : terms), added].join(" ");
}

export function withoutTerm(q: string, gone: string): string {
  return termsOf(q)
    .filter((each) => each !== gone)
    .join(" ");
}

/** Whether each letter has to be judged to answer it. */
export function asksForReplay(q: string): boolean {
  return /(?:^|[\s()!-])replay:/i.test(q.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
}
