import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import type { BodySchema, FindSchema } from "../domain/body-schema.ts";
import { isOfficeError, OfficeError } from "../domain/errors.ts";
import { matchesName } from "../domain/name-pattern.ts";
import { compileSchema } from "./compile-schema.ts";

/**
 * The schemas of the configuration; relative names are of files in `folder`. Each is read when an edit first needs it, and again
 * once it was changed: whoever mends one goes on at once, and one that cannot be used keeps nobody from anything else.
 */
export function schemasIn(rules: Config["schemas"], folder: string): FindSchema {
  const opened = new Map<string, { readonly version: string; readonly schema: BodySchema }>();
  return async ({ queue, type }) => {
    const rule = rules.find((each) => matchesName(each.queue, queue) && matchesName(each.type, type ?? ""));
    if (rule === undefined) return null;
    const version = await versionOf(resolve(folder, rule.file));
    const known = opened.get(rule.file);
    if (known?.version === version) return known.schema;
    const schema = await openSchema(rule.file, folder);
    opened.set(rule.file, { version, schema });
    return schema;
  };
}

/** Of a file that is not there, whoever reads it says so. */
async function versionOf(path: string): Promise<string> {
  const seen = await stat(path, { bigint: true }).catch(() => null);
  return seen === null ? "" : `${seen.mtimeNs} ${seen.size} ${seen.ino}`;
}

async function openSchema(file: string, folder: string): Promise<BodySchema> {
  try {
    return await compileSchema(await readFile(resolve(folder, file), "utf8"), file);
  } catch (error) {
    if (isOfficeError(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new OfficeError("INVALID_CONFIG", `The schema ${file} cannot be used: ${why}. Mend it, or name another.`, {
      details: { file },
      cause: error,
    });
  }
}
