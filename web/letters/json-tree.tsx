import { useState } from "react";
import { type JsonNode, sourceOf } from "../../src/domain/json-text.ts";
import { CopyButton } from "../ui/copy-button.tsx";

interface JsonTreeProps {
  readonly text: string;
  readonly node: JsonNode;
  /** How a search calls it: `body.items[0].sku`. */
  readonly path: string;
  /** What it is called in what it is part of; null for the whole. */
  readonly name: string | null;
}

/** More than that at once would keep the page busy; the rest is asked for. */
const shownAtOnce = 100;

/** What is deeper than that is opened by hand. */
const openTo = 2;

/** JSON as it is written, to be folded: numbers keep all their digits, repeated names stay, nothing is put in order. */
export function JsonTree({ depth = 0, ...props }: JsonTreeProps & { readonly depth?: number }) {
  const parts = partsOf(props.node, props.path);
  const [isOpen, setOpen] = useState(depth < openTo);
  const [shown, setShown] = useState(shownAtOnce);
  if (parts === null) return <JsonLeaf {...props} />;
  return (
    <div className="branch">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Name name={props.name} />
          <span className="muted">{countOf(props.node)}</span>
        </summary>
        {isOpen ? (
          <ul>
            {parts.slice(0, shown).map((part, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and their order is the sender's
              <li key={at}>
                <JsonTree {...part} text={props.text} depth={depth + 1} />
              </li>
            ))}
          </ul>
        ) : null}
        {isOpen && parts.length > shown ? (
          <button type="button" className="small" onClick={() => setShown(shown + shownAtOnce)}>
            {Math.min(shownAtOnce, parts.length - shown)} more of {parts.length}
          </button>
        ) : null}
      </details>
      <CopyPath path={props.path} />
    </div>
  );
}

function JsonLeaf({ text, node, path, name }: JsonTreeProps) {
  const value = sourceOf(text, node);
  return (
    <span className="leaf">
      <Name name={name} />
      <code className={node.kind}>{value}</code> <CopyButton text={plainOf(node, value)} label="Copy value" />{" "}
      <CopyPath path={path} />
    </span>
  );
}

function Name({ name }: { readonly name: string | null }) {
  return name === null ? null : <span className="name">{name}: </span>;
}

function CopyPath({ path }: { readonly path: string }) {
  return <CopyButton text={path} label="Copy path" />;
}

/** A string without its quotes; all else as it is written. */
function plainOf({ kind }: JsonNode, source: string): string {
  return kind === "string" ? (JSON.parse(source) as string) : source;
}

function countOf(node: JsonNode): string {
  if (node.kind === "object") return node.members.length === 0 ? "{}" : `{ ${node.members.length} }`;
  if (node.kind === "array") return node.items.length === 0 ? "[]" : `[ ${node.items.length} ]`;
  return "";
}

type Part = Omit<JsonTreeProps, "text">;

/** Null for what has no parts. */
function partsOf(node: JsonNode, path: string): readonly Part[] | null {
  if (node.kind === "array") {
    return node.items.map((item, at) => ({ node: item, path: `${path}[${at}]`, name: String(at) }));
  }
  if (node.kind !== "object") return null;
  return node.members.map(({ key, value }) => ({ node: value, path: `${path}.${key}`, name: key }));
}
