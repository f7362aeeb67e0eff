/** Whether a key goes into a field: then it is a letter there, and means nothing else. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable], [data-editor]");
}
