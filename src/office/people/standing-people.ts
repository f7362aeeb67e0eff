import type { Ledger } from "../../ledger/ledger.ts";
import type { ConfiguredPerson } from "../../ledger/people/configured-people.ts";
import { type Chore, chore } from "../chore.ts";
import { type ApplyPeopleParts, applyPeople, heldNames } from "./apply-people.ts";

/** How often the configuration's file is read again, in milliseconds. */
const readEveryMs = 10_000;

export interface StandingPeopleParts extends ApplyPeopleParts {
  /** `people:` as the configuration has it now; null where this process has none, and leaves people as they are. */
  readonly read: (() => Promise<readonly ConfiguredPerson[]>) | null;
}

/** Keeps `people:` of the configuration in force: as this process starts, and whenever its file says something else. */
export interface PeopleKeeper {
  /** Puts them in force where they have changed. Gives a sentence for each name that is somebody else's. */
  refresh(): Promise<readonly string[]>;
  begin(): Chore;
}

export function peopleKeeper({ read, ...parts }: StandingPeopleParts): PeopleKeeper {
  let applied: string | null = null;
  const refresh = async () => {
    const people = await read?.();
    const text = JSON.stringify(people);
    // Only what this process saw change: two whose files differ must not undo each other for ever.
    if (people !== undefined && text !== applied) await applyPeople(parts, people);
    applied = text;
    return sayHeld(parts.ledger);
  };
  const leftOver = async () => (await sayHeld(parts.ledger)).join(" ") || null;
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
