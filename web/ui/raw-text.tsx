/** Text exactly as it is. It can be scrolled, so it can be focused: without a mouse there is no other way to its end. */
export function RawText({ text }: { readonly text: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  return <pre tabIndex={0}>{text}</pre>;
}
