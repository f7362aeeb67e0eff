import { createHash } from "node:crypto";
import type { Identity } from "../../domain/identity.ts";
import { isReservedName, lookOf } from "../../domain/names-of-people.ts";

const longest = 64;

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
  return look !== "" && !isReservedName(name) && !looks.has(look);
}
