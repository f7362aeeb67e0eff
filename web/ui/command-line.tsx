import { CopyButton } from "./copy-button.tsx";

/** The same in a terminal. */
export function CommandLine({ command }: { readonly command: string }) {
  return (
    <p className="command">
      <code>{command}</code> <CopyButton text={command} label="Copy" />
    </p>
  );
}

/** A word as a shell reads it back: in quotes where it needs them. */
export function quoted(text: string): string {
  return /^[\w.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
