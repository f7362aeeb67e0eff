import { access, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { OfficeError } from "../domain/errors.ts";
import { checkYaml, parseYaml } from "./checked-yaml.ts";
import { type Config, configSchema } from "./config.ts";
import type { ParsedYaml } from "./config-problems.ts";

/** A configuration and where it stands. */
export interface ConfigFile {
  /** Absolute. What the configuration names by a relative path lies in this file's folder. */
  readonly path: string;
  /** As it stands, comments included. */
  readonly text: string;
  readonly config: Config;
}

/** JSON is YAML too. */
const configFileNames = ["dlo.config.yaml", "dlo.config.yml", "dlo.config.json"] as const;

/** The configuration that holds for a folder: its own, or the nearest one further up; undefined if there is none. */
export async function findConfig(folder: string): Promise<string | undefined> {
  for (const name of configFileNames) {
    const path = join(resolve(folder), name);
    if (await exists(path)) return path;
  }
  const above = dirname(resolve(folder));
  return above === resolve(folder) ? undefined : findConfig(above);
}

/** Reads and checks a configuration. Refuses it with all that is wrong, each with its line. */
export async function readConfig(path: string): Promise<ConfigFile> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const why = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new OfficeError("INVALID_CONFIG", `${path} cannot be read (${why}). Check the path and its rights.`, {
      details: { path },
      cause: error,
    });
  });
  return { path: resolve(path), text, config: parseConfig(text, path) };
}

/** Checks the text of a configuration; `path` is only for the words of a refusal. */
export function parseConfig(text: string, path = "dlo.config.yaml"): Config {
  return checkDocument(parseYaml(text, path), path);
}

export function checkDocument(parsed: ParsedYaml, path: string): Config {
  return checkYaml(parsed, path, configSchema);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
