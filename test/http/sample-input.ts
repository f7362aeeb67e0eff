import type { JsonSchema, ObjectSchema } from "../../src/http/endpoints.ts";

/** Values for names whose schema doesn't say what there is, such as the id of a letter. */
export type KnownValues = Readonly<Record<string, unknown>>;

/** Something that fits a schema: what must be given, as little of it as goes. */
function sampleOf(schema: JsonSchema, known: KnownValues = {}): unknown {
  if ("default" in schema) return schema.default;
  if ("const" in schema) return schema.const;
  const [first] = optionsOf(schema);
  if (first !== undefined) return typeof first === "string" ? first : sampleOf(first as JsonSchema, known);
  const [type] = [schema.type].flat();
  if (type === "object") return requiredOf(schema, known);
  if (type === "array") return schema.minItems === undefined ? [] : [sampleOf(schema.items as JsonSchema, known)];
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "string") return textFor(schema);
  return type === "boolean" ? false : null;
}

/** Each way to put one value in the place of a number, however deep it is, with samples around it. */
export function withEachNumber(schema: JsonSchema, value: unknown, known: KnownValues = {}): readonly Replaced[] {
  const options = optionsOf(schema).filter((each): each is JsonSchema => typeof each === "object");
  if (options.length > 0) return options.flatMap((each) => withEachNumber(each, value, known));
  const types = [schema.type].flat();
  if (types.includes("integer") || types.includes("number")) return [{ path: "", bounds: schema, value }];
  if (types.includes("array")) {
    const inside = withEachNumber(schema.items as JsonSchema, value, known);
    return inside.map(({ path, value: item, bounds }) => ({ path: `[]${path}`, bounds, value: [item] }));
  }
  if (!types.includes("object")) return [];
  return Object.entries((schema as ObjectSchema).properties ?? {}).flatMap(([name, property]) =>
    withEachNumber(property, value, known).map(({ path, value: inner, bounds }) => ({
      ...{ path: `.${name}${path}`, bounds },
      value: { ...requiredOf(schema, known), [name]: inner },
    })),
  );
}

export interface Replaced {
  /** Such as `.limits.ramp[]`. */
  readonly path: string;
  /** What the number's schema says of it. */
  readonly bounds: JsonSchema;
  readonly value: unknown;
}

function requiredOf(schema: JsonSchema, known: KnownValues): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema as Partial<ObjectSchema>;
  return Object.fromEntries(required.map((name) => [name, known[name] ?? sampleOf(properties[name] ?? {}, known)]));
}

function optionsOf({ anyOf, enum: values }: JsonSchema): readonly unknown[] {
  return (anyOf ?? values ?? []) as readonly unknown[];
}

function textFor({ format, minLength = 0 }: JsonSchema): string {
  if (format === "date-time") return "2026-11-16T00:00:00Z";
  if (format === "base64") return "";
  return "sample".padEnd(minLength as number, "x");
}
