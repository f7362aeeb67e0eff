import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";
import { nearestName } from "../domain/options.ts";
import { checkYaml, parseYaml } from "./checked-yaml.ts";

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "must be letters, digits, dots, dashes and underscores");

const contextsSchema = z
  .strictObject({
    version: z.literal(1, "must be 1").default(1),
    /** Which one holds where nothing else is said. @default none */
    current: name.nullable().default(null),
    contexts: z
      .array(z.strictObject({ name, server: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }) }))
      .default([]),
  })
  .superRefine(({ contexts }, context) => {
    const names = contexts.map((each) => each.name);
    const at = names.findIndex((each, index) => names.indexOf(each) !== index);
    if (at !== -1) context.addIssue({ code: "custom", path: ["contexts", at, "name"], message: "is there twice" });
  });

/** The offices that somebody uses, by names of their own. Their file is the user's, never a project's. */
export type Contexts = z.output<typeof contextsSchema>;

/** Empty where there is no such file. */
export async function readContexts(path: string): Promise<Contexts> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  });
  if (text === null) return { version: 1, current: null, contexts: [] };
  return checkYaml(parseYaml(text, path), path, contextsSchema);
}

/** Replaced as a whole, with its comments: a crash leaves the old one. */
export async function writeContexts(path: string, { current, contexts }: Contexts): Promise<void> {
  const before = await readFile(path, "utf8").catch(() => "");
  const { document } = parseYaml(before.trim() === "" ? "version: 1\n" : before, path);
  document.set("current", current);
  document.set("contexts", document.createNode(contexts));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, document.toString({ lineWidth: 0 }), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Where a context's office is. */
export function serverOf({ contexts }: Contexts, wanted: string): string {
  const found = contexts.find((each) => each.name === wanted);
  if (found !== undefined) return found.server;
  const names = contexts.map((each) => each.name);
  const nearest = nearestName(wanted, names);
  const hint =
    nearest === undefined ? `Add it: dlo context add ${wanted} --server URL.` : `Did you mean \`${nearest}\`?`;
  throw new OfficeError("INVALID_OPTION", `You have no context \`${wanted}\`.`, { details: { hint } });
}
