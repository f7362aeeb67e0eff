import type { Message } from "../domain/message.ts";

/**
 * What zod, valibot, arktype and others have in common (Standard Schema, version 1): enough of it to validate.
 * Declared here so that the library depends on none of them.
 */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** How a body becomes a payload: one of ours by name, or your own function, async or not (throwing: it cannot be read). */
export type Decoding = "json" | "text" | "bytes" | ((message: Message) => unknown);

/** The body could not be read, or is not what the schema says. No handler saw it; no retry will help. */
export class UndecodablePayload extends Error {
  override readonly name = "UndecodablePayload";
}

export type Decoder<Payload> = (message: Message) => Payload | Promise<Payload>;

const shownIssues = 5;

export function payloadDecoder<Payload>(
  decoding: Decoding,
  schema: StandardSchema<Payload> | undefined,
): Decoder<Payload> {
  const read = bodyReader(decoding);
  // Without a schema the payload is whatever was read: the type is the caller's own claim.
  if (schema === undefined) return read as Decoder<Payload>;
  const validate = (value: unknown) => {
    const result = schema["~standard"].validate(value);
    return result instanceof Promise ? result.then(validated) : validated(result);
  };
  return (message) => {
    const value = read(message);
    return value instanceof Promise ? value.then(validate) : validate(value);
  };
}

function bodyReader(decoding: Decoding): (message: Message) => unknown {
  if (decoding === "bytes") return (message) => message.body;
  if (typeof decoding === "function") return (message) => readOr(message, decoding, "The payload could not be decoded");
  // Fatal, and told apart from text: a byte that is not UTF-8 must not become a question mark in somebody's name.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const text = (message: Message) => decoder.decode(message.body);
  if (decoding === "text") return (message) => readOr(message, text, "The body is not UTF-8 text");
  return (message) => readOr(message, (given) => JSON.parse(text(given)), "The body is not JSON");
}

function readOr(message: Message, read: (message: Message) => unknown, complaint: string): unknown {
  const refuse = (cause: unknown): never => {
    const detail = cause instanceof Error ? `: ${cause.message}` : "";
    throw new UndecodablePayload(`${complaint}${detail}`, { cause });
  };
  try {
    const value = read(message);
    return value instanceof Promise ? value.catch(refuse) : value;
  } catch (cause) {
    return refuse(cause);
  }
}

function validated<Payload>(result: SchemaResult<Payload>): Payload {
  if (result.issues === undefined) return result.value;
  const shown = result.issues.slice(0, shownIssues).map(describeIssue);
  const more = result.issues.length - shown.length;
  throw new UndecodablePayload(
    `The payload does not match its schema: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`,
  );
}

function describeIssue({ message, path = [] }: SchemaIssue): string {
  const where = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
  return where === "" ? message : `${where}: ${message}`;
}
