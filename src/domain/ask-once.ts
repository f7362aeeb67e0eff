/** The answer that is known, or on its way, under this name; what failed is asked for again. */
export function askOnce<Answer>(
  known: Map<string, Promise<Answer>>,
  name: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const found = known.get(name);
  if (found !== undefined) return found;
  const asked = ask();
  known.set(name, asked);
  asked.catch(() => {
    if (known.get(name) === asked) known.delete(name);
  });
  return asked;
}
