import { readFile } from "node:fs/promises";
import { OfficeError } from "../domain/errors.ts";

/** Where a reference finds its value. */
export interface ReferenceOrigin {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readText: (path: string) => Promise<string>;
}

/** The environment given, and the files of this machine. */
export function referenceOrigin(env: ReferenceOrigin["env"]): ReferenceOrigin {
  return { env, readText: (path) => readFile(path, "utf8") };
}

/**
 * A value that may hold a secret: text with `${NAME}` in it, or `file:/path`.
 *
 * It is asked for when it is used, so that a rotated secret is seen; and what was written stays inside, so that nothing
 * that prints, logs or serialises a configuration can give it away.
 */
export interface Reference {
  /** How it was written, as far as that can be shown: no password, no query, no text that is itself the secret. */
  readonly shown: string;
  /** The value. Refuses a variable that is not set, and a file that cannot be read. */
  resolve(from: ReferenceOrigin): Promise<string>;
}

/** The address of something: shown, but for its password. */
export function addressReference(written: string): Reference {
  return { shown: isWhole(written) ? written : withoutSecrets(written), resolve: (from) => resolved(written, from) };
}

/** A secret as a whole: shown only where it says where the secret is. */
export function secretReference(written: string): Reference {
  return { shown: isWhole(written) ? written : "(hidden)", resolve: (from) => resolved(written, from) };
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const file = /^file:(?!\/\/[^/])(.+)$/;

/** Nothing but a reference, so that there is nothing in it to hide. */
function isWhole(written: string): boolean {
  return file.test(written) || /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(written);
}

/**
 * An address without what lets somebody in. Up to the last `@`: a password with an unescaped slash or `@` makes a bad
 * address, but must not be printed for that.
 */
export function withoutSecrets(address: string): string {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/\/)?([\s\S]*)$/i.exec(address) ?? [];
  const at = rest.lastIndexOf("@");
  const user = at === -1 ? "" : `${(rest.slice(0, at).split(":")[0] ?? "").replace(/[/?#@][\s\S]*$/, "")}:***@`;
  const [place = "", ...query] = rest.slice(at + 1).split(/[?#]/);
  return `${scheme}${at !== -1 && scheme === "" ? "***@" : user}${place}${query.length === 0 ? "" : "?…"}`;
}

async function resolved(written: string, { env, readText }: ReferenceOrigin): Promise<string> {
  const path = file.exec(written)?.[1]?.replace(/^\/\//, "");
  if (path !== undefined) return readSecret(path, readText);
  return written.replace(variable, (_all, name: string) => {
    const value = env[name];
    if (value === undefined || value === "") throw unset(name);
    return value;
  });
}

/** Files end with a line break that is no part of the secret. */
async function readSecret(path: string, readText: ReferenceOrigin["readText"]): Promise<string> {
  try {
    return (await readText(path)).replace(/\r?\n$/, "");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new OfficeError(
      "INVALID_CONFIG",
      `\`file:${path}\` cannot be read (${why}). Check the path and its rights.`,
      {
        details: { file: path },
        cause: error,
      },
    );
  }
}

function unset(name: string): OfficeError {
  return new OfficeError(
    "INVALID_CONFIG",
    `The environment variable ${name} is not set. Set it: export ${name}=…, or write file:/path in its place.`,
    { details: { variable: name } },
  );
}
