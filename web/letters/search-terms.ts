/** The terms of a search that all have to hold, as they were typed; the whole of it where it has brackets or alternatives. */
export function termsOf(q: string): readonly string[] {
  if (/[()]|\bOR\b/.test(q)) return [q.trim()];
  return q.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
}

/** A value as the query language reads it back: in quotes where it needs them. */
export function term(field: string, value: string): string {
  return /^[\w./@-]+$/.test(value) ? `${field}:${value}` : `${field}:"${value.replaceAll('"', "")}"`;
}

export function withTerm(q: string, added: string): string {
  const terms = termsOf(q);
  return terms.includes(added) ? q : [...terms, added].join(" ");
}

export function withoutTerm(q: string, gone: string): string {
  return termsOf(q)
    .filter((each) => each !== gone)
    .join(" ");
}
