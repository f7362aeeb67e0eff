import type { Json } from "../domain/canonical-json.ts";
import { OfficeError } from "../domain/errors.ts";
import { refuseUnknownNames } from "../domain/options.ts";
import type { Endpoint, JsonSchema } from "./endpoints.ts";

/** A request as far as an operation's input may come from it. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

type Input = { readonly [name: string]: Json };

/**
 * The input of an operation: from path and query where it only reads, from path and body elsewhere. A name nobody knows is
 * refused, since a filter that is misspelt and left out shows, or does, more than was asked for.
 */
export function readInput({ method, input, inPath }: Endpoint, { params, query, body }: RequestParts): Input {
  const free = Object.keys(input.properties).filter((name) => !inPath.includes(name));
  if (method === "GET") {
    refuseUnknownNames(Object.keys(query), free);
    return { ...valuesOf(query, input.properties), ...params };
  }
  refuseUnknownNames(Object.keys(query), []);
  const given = objectOf(body);
  refuseUnknownNames(Object.keys(given), free);
  return { ...given, ...params };
}

function objectOf(body: unknown): Input {
  if (body === undefined) return {};
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Input;
  throw new OfficeError("INVALID_REQUEST", 'The body must be a JSON object, such as {"limit": 50}.');
}

function valuesOf(query: RequestParts["query"], schemas: Readonly<Record<string, JsonSchema>>): Input {
  return Object.fromEntries(Object.entries(query).map(([name, text]) => [name, typedValue(text, schemas[name] ?? {})]));
}

/** Queries are text. What cannot be what the schema says stays text, so that the schema's own refusal names it. */
function typedValue(text: string | readonly string[], schema: JsonSchema): Json {
  const types = typesOf(schema);
  if (types.includes("array")) return typeof text === "string" ? [text] : text;
  if (typeof text !== "string") return text;
  if ((types.includes("integer") || types.includes("number")) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (types.includes("boolean") && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function typesOf({ type, anyOf }: JsonSchema): readonly string[] {
  if (typeof type === "string") return [type];
  return Array.isArray(anyOf) ? anyOf.flatMap((each: JsonSchema) => typesOf(each)) : [];
}
