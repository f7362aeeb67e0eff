/** `1 letter`, `63,314 letters`: never `1 letters`. */
export function showCount(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en-US")} ${n === 1 ? one : many}`;
}

/** `1 of 3 letters is`, `2 of 1,204 letters are`. */
export function showPart(n: number, of: number, one: string): string {
  return `${n.toLocaleString("en-US")} of ${showCount(of, one)} ${n === 1 ? "is" : "are"}`;
}
