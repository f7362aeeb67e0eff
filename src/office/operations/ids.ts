import { z } from "zod";
import { type ErrorCode, OfficeError } from "../../domain/errors.ts";
import { idPrefixes } from "../../domain/ids.ts";
import { findIds, type NamedKind } from "../../ledger/search/find-ids.ts";
import { operation } from "./operation.ts";

const kinds = ["letter", "group", "replay"] as const satisfies readonly NamedKind[];
const missing: Readonly<Record<NamedKind, ErrorCode>> = {
  ...{ letter: "LETTER_NOT_FOUND", group: "GROUP_NOT_FOUND", replay: "REPLAY_NOT_FOUND" },
};
/** Fewer digits are a year or more. */
const leastDigits = 4;
const shownAtMost = 3;

export const wholeIdOf = operation({
  name: "ids.get",
  summary: "the whole id of a letter, group or replay from its beginning, where no other begins so",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: z.object({ id: z.string(), kind: z.enum(kinds) }),
  async run({ ledger }, { id: given }) {
    const { kind, digits } = partsOf(given);
    const found = await findIds(ledger, { kind, digits, atMost: shownAtMost + 1 });
    const [id, ...others] = found;
    if (id === undefined) throw new OfficeError(missing[kind], `There is no ${kind} whose id begins with ${given}.`);
    if (others.length > 0) throw ambiguous(given, found);
    return { id, kind };
  },
});

function partsOf(given: string): { readonly kind: NamedKind; readonly digits: string } {
  const [prefix, digits = ""] = given.split("_");
  const kind = kinds.find((each) => idPrefixes[each] === prefix);
  if (kind !== undefined && digits.length >= leastDigits && /^[0-7][0-9A-HJKMNP-TV-Z]{0,25}$/i.test(digits))
    return { kind, digits: digits.toUpperCase() };
  throw new OfficeError(
    "INVALID_OPTION",
    `\`${given}\` is not the beginning of an id: those look like rpl_01JCQ8, with four digits or more.`,
  );
}

function ambiguous(given: string, found: readonly string[]): OfficeError {
  const more = found.length > shownAtMost ? " and others" : "";
  return new OfficeError(
    "INVALID_OPTION",
    `Several ids begin with ${given}: ${found.slice(0, shownAtMost).join(", ")}${more}. Give more of it.`,
  );
}
