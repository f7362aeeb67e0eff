import { z } from "zod";
import { OfficeError } from "../../domain/errors.ts";
import { plainName } from "../../domain/query/left-out.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { Search } from "../../ledger/search/search-condition.ts";
import { guessNames, type UnknownName, unknownNames } from "../../ledger/search/unknown-names.ts";

/** What a search says that is probably not meant. */
export const searchWarning = z.object({
  /** Stable, for programs. */
  code: z.enum(["query.unknown_name", "query.name_not_checked"]),
  /** As it is confirmed: `tag:hlod`. */
  name: z.string(),
  /** What may have been meant: `tag:hold`. */
  nearest: z.string().nullable(),
  /** For people. */
  sentence: z.string(),
});

/** Names that the search leaves out though no letter has them, as they stand in it: `tag:hlod`. */
export const confirmUnknown = z.array(z.string().max(4_000)).max(100).default([]);

/** What is to be said about a search, whatever it finds. */
export async function warningsOf(ledger: Ledger, search: Search): Promise<z.input<typeof searchWarning>[]> {
  const unknown = await unknownNames(ledger, search);
  return unknown.map((each) => ({
    code: each.isChecked ? "query.unknown_name" : "query.name_not_checked",
    ...{ name: each.name, nearest: each.nearest, sentence: sentenceOf(each) },
  }));
}

/** The same of a search that finds nothing, with what may have been meant by the names that it asks for. */
export async function warningsOfNothing(ledger: Ledger, search: Search): Promise<z.input<typeof searchWarning>[]> {
  const [warnings, guesses] = await Promise.all([warningsOf(ledger, search), guessNames(ledger, search)]);
  const guessed = guesses.map(({ name, nearest }) => ({
    ...{ code: "query.unknown_name" as const, name, nearest },
    sentence: `Nothing was found with ${name}. Did you mean ${nearest}?`,
  }));
  return [...warnings, ...guessed];
}

function sentenceOf({ name, nearest, isChecked }: UnknownName): string {
  if (!isChecked)
    return `The letters checked do not have ${name}, and there are too many to check them all. If none has it, leaving it out changes nothing.`;
  const guess = nearest === null ? "" : ` Did you mean ${nearest}?`;
  return `No letter has ${name}, so leaving it out changes nothing.${guess}`;
}

/** Refuses to select letters by a search that leaves out what no letter has, unless each such name is confirmed: it is mostly misspelt. */
export async function requireKnownNames(ledger: Ledger, search: Search, confirmed: readonly string[]): Promise<void> {
  const plain = new Set(confirmed.map(plainName));
  const unknown = (await unknownNames(ledger, search)).filter(({ name }) => !plain.has(plainName(name)));
  if (unknown.length === 0) return;
  const names = unknown.map(({ name }) => name);
  const guesses = unknown.flatMap(({ nearest }) => nearest ?? []);
  const guess = guesses.length === 0 ? "" : `Did you mean ${guesses.join(", ")}? `;
  const flags = names.map((name) => `--confirm-unknown ${/^[\w.:-]+$/.test(name) ? name : `'${name}'`}`).join(" ");
  throw new OfficeError(
    "UNKNOWN_NAME",
    `${unknown.every(({ isChecked }) => isChecked) ? "No letter has" : "No letter that was checked has"} ${names.join(" or ")}, so this search would select what you may want to keep out. Nothing was changed.`,
    {
      details: {
        names,
        suggestions: guesses,
        hint: `${guess}If it is meant, confirm it: ${flags} (confirmUnknown over HTTP).`,
      },
    },
  );
}
