import type { Ledger } from "../../ledger/ledger.ts";
import type { ConfiguredPerson } from "../../ledger/people/configured-people.ts";
import { type Chore, chore } from "../chore.ts";
import { type ApplyPeopleParts, applyPeople, differenceIn, heldNames } from "./apply-people.ts";

/** How often the configuration's file is read again, in milliseconds. */
const readEveryMs = 10_000;

export interface StandingPeopleParts extends ApplyPeopleParts {
  /** `people:` as the configuration has it now; null where it says nothing of them, which leaves people as they are. */
  readonly read: () => Promise<readonly ConfiguredPerson[] | null>;
}

/** Keeps `people:` of the configuration in force: as this process starts, and whenever its file says something else. */
export interface PeopleKeeper {
  /** Puts them in force where they have changed. Gives a sentence for whatever is amiss. */
  refresh(): Promise<readonly string[]>;
  begin(): Chore;
}

export function peopleKeeper({ read, ...parts }: StandingPeopleParts): PeopleKeeper {
  const { ledger } = parts;
  let own: readonly ConfiguredPerson[] | null = null;
  let applied: string | null = null;
  const sayAll = async () => {
    const difference = await differenceIn(ledger, own);
    return [...(difference === null ? [] : [difference]), ...(await sayHeld(ledger))];
  };
  const refresh = async () => {
    own = await read();
    const text = JSON.stringify(own);
    // Only what this process saw change: two whose files differ must not undo each other forever.
    if (own !== null && text !== applied) await applyPeople(parts, own);
    applied = text;
    return sayAll();
  };
  const leftOver = async () => (await sayAll()).join(" ") || null;
  return {
    refresh,
    begin: () => chore({ name: "people", everyMs: readEveryMs, clock: parts.clock, act: refresh, leftOver }),
  };
}

async function sayHeld(ledger: Ledger): Promise<readonly string[]> {
  const held = await heldNames(ledger);
  return held.map(
    ({ id, by }) =>
      `The configuration names ${id}, and ${id} is another account: ${by}. Free the name: dlo people rename ${id} --to NEW-NAME`,
  );
}
