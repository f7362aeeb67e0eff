/**
 * Whether a name fits a pattern in which `*` stands for any characters. Who may only look may ask with a pattern of their own, so
 * each part is looked for once, from left to right: a regular expression would try every way to share a name among many stars.
 */
export function matchesName(pattern: string, name: string): boolean {
  const [head = "", ...parts] = pattern.split("*");
  const tail = parts.pop();
  if (tail === undefined) return name === pattern;
  const end = name.length - tail.length;
  if (end < head.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  let from = head.length;
  for (const part of parts) {
    const found = name.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return from <= end;
}
