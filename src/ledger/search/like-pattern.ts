/** `*` for anything, and nothing else special. */
export function likePattern(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&").replaceAll("*", "%");
}
