import type { Term, Value } from "../../domain/query/query.ts";
import { queryProblem } from "../../domain/query/query-problem.ts";
import { isMaskedPath, mask, maskText } from "../../domain/redaction.ts";
import { type CompileContext, requireBound } from "./compile-context.ts";

/** `header.x-tenant:acme`: a header's text, in any case. */
export function matchesHeader(value: Value, term: Term, context: CompileContext): string {
  const wanted = wholeValue(value, term, context);
  const name = context.parameters.add(term.path ?? "");
  return hasContent(`header_texts(b.headers, ${name}::text)`, wanted, context);
}

/** `body.items[*].sku:A-1`: a value in a payload that is JSON, in any case. */
export function matchesBody(value: Value, term: Term, context: CompileContext): string {
  const wanted = wholeValue(value, term, context);
  const path = context.parameters.add(jsonPath(term.path ?? ""));
  return hasContent(`body_texts(b.body, ${path}::jsonpath)`, wanted, context);
}

function hasContent(texts: string, wanted: string, { at, parameters }: CompileContext): string {
  const text = parameters.add(wanted.toLowerCase());
  return `exists (select from ${at}.bodies b cross join lateral ${at}.${texts} as found (text)
    where b.letter_id = l.id and lower(found.text) = ${text})`;
}

/**
 * Only whole values, and none that no list would show: with parts of values, somebody could find out by and by what is
 * masked.
 */
function wholeValue(value: Value, term: Term, context: CompileContext): string {
  const { text, masking } = context;
  const refuse = (message: string, hint: string) =>
    queryProblem({ text, at: term.at, length: term.length, message, hint });
  requireBound(term, context, `\`${term.field}.\``);
  if (value.kind === "range") throw refuse("A range cannot be looked for there.", "Write one value.");
  if (value.kind === "word" && value.text.includes("*")) {
    throw refuse("Parts of values cannot be looked for there.", "Write the whole value, without `*`.");
  }
  // In any case, as it is compared: what is looked for in small letters may stand there in capitals.
  const spellings =
    masking.detectors === "none" ? [] : [value.text, value.text.toUpperCase(), value.text.toLowerCase()];
  const looksSecret = spellings.some((text) => maskText(text).includes(mask));
  if (looksSecret || isMaskedPath(`${term.field}.${term.path}`, masking)) {
    throw refuse(
      "What is masked cannot be searched like this.",
      "Look for the letter by its key or its queue; who may see what is masked can search it with a reason (letters.searchMasked).",
    );
  }
  return value.text;
}

/** `items[*].sku` as PostgreSQL writes it: `$."items"[*]."sku"`. */
function jsonPath(path: string): string {
  const steps = path.split(".").map((step) => {
    const [, name = step, places = ""] = /^(.*?)((?:\[(?:\*|\d{1,9})\])*)$/u.exec(step) ?? [];
    return `${name === "" ? "" : `.${JSON.stringify(name)}`}${places}`;
  });
  return `$${steps.join("")}`;
}
