/**
 * Remembers what was worked out for a text: class names, codes and lines of a stack come by the thousand and are few.
 *
 * Bounded: when full it forgets everything and starts again, which costs less than keeping track of what was used.
 */
export function memo<T>(work: (text: string) => T, most = 4_096): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = work(text);
    if (known.size >= most) known.clear();
    known.set(text, made);
    return made;
  };
}
