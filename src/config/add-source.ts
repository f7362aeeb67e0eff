import { type Document, isNode, isSeq, stringify, type YAMLSeq } from "yaml";
import { OfficeError } from "../domain/errors.ts";
import type { KeyPlace } from "../domain/key-place.ts";
import type { Broker } from "./broker-names.ts";
import { parseYaml } from "./checked-yaml.ts";
import { checkDocument, parseConfig } from "./config-file.ts";

/** A source as it is to be written: references as they shall stand in the file. */
export interface NewSource {
  readonly name: string;
  readonly broker: Broker;
  readonly url: string;
  readonly management?: string;
  readonly schema?: string;
  readonly prefix?: string;
  readonly transports?: Readonly<Record<string, string>>;
  readonly key?: KeyPlace;
  readonly keys?: { readonly source: string } | { readonly url: string; readonly schema?: string };
  readonly owner?: string;
  readonly queues?: readonly { readonly match: string; readonly mode: "observe" | "drain" }[];
}

/** The text of a configuration with one source more. Comments and layout stay; the whole is checked before and after. */
export function addSource(text: string, source: NewSource, path = "dlo.config.yaml"): string {
  const parsed = parseYaml(text.trim() === "" ? "version: 1\n" : text, path);
  const { sources } = checkDocument(parsed, path);
  if (sources.some(({ name }) => name === source.name)) throw alreadyThere(source.name, path);
  const written = writeWith(text, parsed.document, source, path);
  parseConfig(written, path);
  return written;
}

/** As YAML that can be pasted below `sources:`. */
export function sourceYaml(source: NewSource): string {
  return stringify([source], { lineWidth: 0, collectionStyle: "any" }).trimEnd();
}

function writeWith(text: string, document: Document, source: NewSource, path: string): string {
  if (path.endsWith(".json")) return asJson(document, source);
  if (text.trim() === "") return `version: 1\n\nsources:\n${indented(sourceYaml(source), 2)}\n`;
  const list: unknown = document.get("sources", true);
  if (!document.has("sources")) return `${withLineEnd(text)}\nsources:\n${indented(sourceYaml(source), 2)}\n`;
  if (isSeq(list) && list.flow !== true && list.items.length > 0) return insertedInto(text, list, source);
  return rewritten(document, source);
}

/** Into the text itself, after the last source: nothing else in the file moves by a byte. */
function insertedInto(text: string, list: YAMLSeq, source: NewSource): string {
  const last = list.items.at(-1);
  const contentEnd = text.slice(0, (isNode(last) ? last.range?.[1] : undefined) ?? text.length).trimEnd().length;
  const lineEnd = text.indexOf("\n", contentEnd);
  const at = lineEnd === -1 ? text.length : lineEnd + 1;
  const start = list.range?.[0] ?? 0;
  const indent = start - (text.lastIndexOf("\n", start - 1) + 1);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = `${indented(sourceYaml(source), indent)}\n`.replaceAll("\n", newline);
  return withLineEnd(text.slice(0, at), newline) + lines + text.slice(at);
}

/** A list in one line, or none yet: there the whole is written anew, with its comments. */
function rewritten(document: Document, source: NewSource): string {
  const list: unknown = document.get("sources", true);
  if (isSeq(list)) {
    list.items.push(document.createNode({ ...source }));
    list.flow = false;
  } else document.set("sources", document.createNode([{ ...source }]));
  return document.toString({ lineWidth: 0 });
}

function asJson(document: Document, source: NewSource): string {
  const content = document.toJS() as { readonly sources?: readonly unknown[] };
  return `${JSON.stringify({ ...content, sources: [...(content.sources ?? []), source] }, null, 2)}\n`;
}

function indented(text: string, by: number): string {
  return text.replaceAll(/^/gm, " ".repeat(by));
}

function withLineEnd(text: string, newline = "\n"): string {
  return text === "" || text.endsWith("\n") ? text : text + newline;
}

function alreadyThere(name: string, path: string): OfficeError {
  const remedy = "Change it in that file, or give the new one another name.";
  return new OfficeError("INVALID_CONFIG", `${path} has a source \`${name}\` already. ${remedy}`, {
    details: { source: name },
  });
}
