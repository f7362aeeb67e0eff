import { OfficeError } from "../../domain/errors.ts";
import { switchFlag, textFlag, type ValuesOf } from "../flags.ts";

/** What takes the masks off, with a reason. */
export const unmaskedFlags = {
  unmasked: switchFlag("as it is, with what is masked elsewhere; needs --reason"),
  reason: textFlag({ placeholder: "TEXT", about: "why unmasked, for the audit log" }),
};

/** Null: masked. */
export function unmaskedBecause({ unmasked, reason }: ValuesOf<typeof unmaskedFlags>): string | null {
  if (unmasked && reason === "")
    throw new OfficeError("INVALID_OPTION", "`--unmasked` needs `--reason`: it goes to the audit log.");
  return unmasked ? reason : null;
}
