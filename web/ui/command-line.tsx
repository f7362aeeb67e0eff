import { CopyButton } from "./copy-button.tsx";

/** The same in a terminal. */
export function CommandLine({ command }: { readonly command: string }) {
  return (
    <p className="command">
      <code>{command}</code> <CopyButton text={command} label="Copy" />
    </p>
  );
}
