export interface MemoOptions<T> {
  /** Texts kept at once. */
  readonly most?: number;
  /** In characters: a longer text is worked out each time. */
  readonly longest?: number;
  readonly worthKeeping?: (made: T) => boolean;
}

/**
 * Remembers what was worked out for a text: class names, codes and lines of a stack come by the thousand and are few.
 *
 * Bounded in number and in size, whatever senders put where a name should be: when full it forgets everything and starts again,
 * which costs less than keeping track of what was used. What is not `worthKeeping` is worked out each time: texts that never
 * come twice would only crowd out the others.
 */
export function memo<T>(
  work: (text: string) => T,
  { most = 4_096, longest = 256, worthKeeping = () => true }: MemoOptions<T> = {},
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > longest) return work(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    const own = ownCopy(text);
    const made = work(own);
    if (!worthKeeping(made)) return made;
    if (known.size >= most) known.clear();
    known.set(own, made);
    return made;
  };
}

/** A piece of a text is a view of the whole for the engine: kept as it is, a name would hold on to the megabyte it was found in. */
function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}
