import { createHash } from "node:crypto";
import type { Identity } from "../../domain/identity.ts";

/** They stand for the server itself, for what decides without a person, or for no one: in a log they would read as that. */
const reserved = new Set(
  [
    ...["admin", "administrator", "system", "policy", "office", "server", "dlo", "dead-letter-office"],
    ...["auto-replay", "demo", "nobody", "anonymous", "unknown", "everybody", "everyone", "null", "undefined"],
  ].map(lookOf),
);

const longest = 64;

/**
 * What a name looks like to somebody who reads it in a list: two names of one look are told apart by no one. Names that an issuer
 * says may be in any script, so what only looks like a Latin letter counts as that letter where Unicode says so.
 */
export function lookOf(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("0", "o")
    .replaceAll(/[1i]/g, "l");
}

/** Whether nobody may be called that, whoever asks. */
export function isReservedName(name: string): boolean {
  return reserved.has(lookOf(name));
}

/**
 * A name for somebody who comes for the first time: as the issuer calls them where nobody is called so or like it, nor will be by
 * the configuration; else with some of who they are at the issuer behind it. Null where all of that is taken.
 */
export function freeName({ issuer, subject, name }: Identity, taken: Iterable<string>): string | null {
  const looks = new Set([...taken].map(lookOf));
  const wanted = (name ?? "")
    .normalize("NFKC")
    .trim()
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 50);
  const digest = createHash("sha256").update(`${issuer}\n${subject}`).digest("hex");
  const base = wanted || "person";
  // Anybody who knows an issuer and a subject can work this name out and take it first: there is always a longer one.
  const longer = [12, 24, 40].map((length) => `${base.slice(0, longest - length - 1)}-${digest.slice(0, length)}`);
  return [...(wanted === "" ? [] : [wanted]), ...longer].find((each) => isFree(each, looks)) ?? null;
}

function isFree(name: string, looks: ReadonlySet<string>): boolean {
  const look = lookOf(name);
  return look !== "" && !reserved.has(look) && !looks.has(look);
}
