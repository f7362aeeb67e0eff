/**
 * Remembers what was worked out for a text: class names, codes and lines of a stack come by the thousand and are few.
 *
 * Bounded: when full it forgets everything and starts again, which costs less than keeping track of what was used. What is
 * not `worthKeeping` is worked out each time: texts that never come twice would only crowd out the others.
 */
export function memo<T>(
  work: (text: string) => T,
  {
    most = 4_096,
    worthKeeping = () => true,
  }: { readonly most?: number; readonly worthKeeping?: (made: T) => boolean } = {},
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = work(text);
    if (!worthKeeping(made)) return made;
    if (known.size >= most) known.clear();
    known.set(text, made);
    return made;
  };
}
