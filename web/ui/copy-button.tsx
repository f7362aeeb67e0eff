import { useState } from "react";

interface CopyButtonProps {
  /** What is copied, or how it is got once it is asked for. */
  readonly text: string | (() => Promise<string>);
  readonly label: string;
}

/** Puts text on the clipboard, and says so. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await writeText(typeof text === "string" ? text : await text());
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" className="small" onClick={() => void copy()}>
      {label}
      <span role="status" className="copied">
        {isCopied ? " · copied" : ""}
      </span>
    </button>
  );
}

/** Browsers give no clipboard to pages over plain HTTP; a selected field can be copied everywhere. */
export async function writeText(text: string): Promise<void> {
  // Typed as always there, which it is not over plain HTTP.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- it is the only way to the clipboard over plain HTTP
  document.execCommand("copy");
  field.remove();
}
