import type { BodySchema, SchemaComplaint } from "../../domain/body-schema.ts";
import { textOf } from "../../domain/text-of.ts";
import { EditRefused } from "./edit-refused.ts";

/** As many as somebody reads at once. */
const listedAtMost = 10;

/** Refuses a body that its consumer would not understand, as far as anybody wrote down what it understands. */
export function requireSchema(schema: BodySchema | null, body: Uint8Array): void {
  if (schema === null) return;
  const complaints = complaintsAbout(schema, body);
  if (complaints.length === 0) return;
  const listed = complaints.slice(0, listedAtMost);
  const said = listed.map(({ path, message }) => `${path === "" ? "it" : path} ${message}`).join("; ");
  const more = complaints.length > listed.length ? `; and ${complaints.length - listed.length} more` : "";
  throw new EditRefused(
    "edit.schema_mismatch",
    `It would not match ${schema.name}: ${said}${more}. Mend these places too, or the schema if that is wrong.`,
    { schema: schema.name, complaints: listed },
  );
}

function complaintsAbout(schema: BodySchema, body: Uint8Array): readonly SchemaComplaint[] {
  const parsed = parse(textOf(body));
  if (parsed === undefined) return [{ path: "", message: "must be JSON" }];
  try {
    return schema.complaintsAbout(parsed);
  } catch (error) {
    // A schema that refers to itself is followed level by level.
    if (error instanceof RangeError) return [{ path: "", message: "is nested too deeply to be held to a schema" }];
    throw error;
  }
}

/** Undefined for what is no JSON. */
function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
