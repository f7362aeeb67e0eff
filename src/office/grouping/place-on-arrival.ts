import { idOfUuid, uuidOf } from "../../domain/ids.ts";
import type { Masking } from "../../domain/redaction.ts";
import type { NewLetter } from "../../ledger/new-letter.ts";
import { groupIdOf } from "../../ledger/place-letters.ts";
import { tellingAsShown } from "../policy/condition-facts.ts";
import { arrivalFacts, type ReadLetter } from "../policy/rule-on-arrival.ts";
import type { Grouping } from "./grouping.ts";

interface Arriving {
  readonly letter: NewLetter;
  /** As it was before any rule had its say: what conditions see. */
  readonly unruled: NewLetter;
  readonly asRead: ReadLetter;
  /** What is kept from conditions of splits, as from everybody. */
  readonly masking: Masking;
}

/** Puts a letter where merges and splits want it. */
export function placeOnArrival(grouping: Grouping, { letter, unruled, asRead, masking }: Arriving): NewLetter {
  const { version } = grouping;
  if (version === 0) return letter;
  const facts = () => arrivalFacts(unruled, asRead, tellingAsShown(masking));
  const groupId = idOfUuid(grouping.place(uuidOf(groupIdOf(letter)), facts));
  return { ...letter, placement: { groupId, version } };
}
