import type { Json } from "../domain/canonical-json.ts";

/** How what a command says is written. */
export const outputForms = ["table", "wide", "json", "jsonl", "yaml", "name"] as const;

export type OutputForm = (typeof outputForms)[number];

export interface Wanted {
  readonly form: OutputForm;
  /** Of each thing only these, by their names, with dots between where one is in another; null: all. */
  readonly fields: readonly string[] | null;
}

type Print = (text: string) => void;

/** What a form takes besides a place to write to. */
export interface Writing {
  readonly print: Print;
  /** For remarks. */
  readonly note: Print;
  readonly yaml: (value: Json) => string;
}

/** Forms for programs are all made of the document that `--json` gives, so that a command has to know of none of them. */
export function isForPrograms({ form, fields }: Wanted): boolean {
  return fields !== null || (form !== "table" && form !== "wide");
}

/** Writes documents, each given as JSON, in the form that is wanted. */
export function documentPrinter(wanted: Wanted, { print, note, yaml }: Writing): Print {
  const { form, fields } = wanted;
  if (fields === null && (form === "json" || !isForPrograms(wanted))) return print;
  const pick = fields === null ? (value: Json) => value : picker(fields, note);
  return (text) => {
    const document = JSON.parse(text) as Json;
    const items = itemsOf(document);
    if (form === "name") for (const name of (items ?? [document]).flatMap(nameOf)) print(name);
    else if (form === "jsonl") for (const item of items ?? [document]) print(JSON.stringify(pick(item)));
    else {
      const picked = items === null ? pick(document) : { ...(document as JsonObject), items: items.map(pick) };
      print(form === "yaml" ? yaml(picked).trimEnd() : JSON.stringify(picked));
    }
  };
}

type JsonObject = { readonly [name: string]: Json };

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a list lists; null where the document is one thing. */
function itemsOf(document: Json): readonly Json[] | null {
  return isObject(document) && Array.isArray(document.items) ? document.items : null;
}

/** What other commands would take for it. */
function nameOf(item: Json): readonly string[] {
  if (typeof item === "string") return [item];
  if (!isObject(item)) return [];
  const name = item.id ?? item.letter ?? item.name ?? item.queue;
  return typeof name === "string" ? [name] : [];
}

/** Names that nothing has are told once; whatever the command did is done by then, so it does not fail for them. */
function picker(fields: readonly string[], note: Print): (value: Json) => Json {
  const told = new Set<string>();
  return (value) => {
    if (!isObject(value)) return value;
    return Object.fromEntries(
      fields.map((field) => {
        const found = field
          .split(".")
          .reduce<Json | undefined>((at, part) => (isObject(at) ? at[part] : undefined), value);
        if (found === undefined && !told.has(field)) {
          told.add(field);
          note(`There is no field \`${field}\`. There are ${Object.keys(value).join(", ")}.`);
        }
        return [field, found ?? null];
      }),
    );
  };
}
