import { stringify } from "yaml";
import type { Json } from "../domain/canonical-json.ts";

/** A value as a YAML document, with long texts left in one line: a line break of ours would be one more thing to read. */
export function yamlText(value: Json): string {
  return stringify(value, { lineWidth: 0 });
}
