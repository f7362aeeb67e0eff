import { readDeadLetter } from "../src/dialects/read-dead-letter.ts";
import type { Actor } from "../src/domain/actor.ts";
import type { DeadLetter } from "../src/domain/dead-letter.ts";
import { makeId } from "../src/domain/ids.ts";
import { defaultMasking } from "../src/domain/redaction.ts";
import type { NewLetter } from "../src/ledger/new-letter.ts";
import type { FoundBy } from "../src/office/intake/identify.ts";
import { type ReadingRoom, readLetters } from "../src/office/intake/read-letters.ts";
import { systemClock } from "../src/system/host.ts";
import { classify } from "../src/triage/classify.ts";
import { fingerprint } from "../src/triage/fingerprint/fingerprint.ts";
import { benchLetter } from "./ledger-letters.ts";

export const benchActor: Actor = { id: "bench", roles: ["admin"], kind: "system" };

/** Everything that is built in. */
export const benchRoom: ReadingRoom = {
  read: readDeadLetter,
  triage: { classify, fingerprint },
  masking: defaultMasking,
  bodies: null,
  newLetterId: () => ({ id: makeId(Date.now(), crypto.randomUUID()), arrivedAt: Date.now() }),
};

/** Letters of these numbers as the intake reads them. */
export function foundLetters(
  room: ReadingRoom,
  numbers: readonly number[],
  foundBy?: (n: number) => FoundBy,
): Promise<readonly NewLetter[]> {
  const letters = numbers.map((n) => ({ n, letter: benchLetter(n) }));
  return readAll(room, letters, foundBy);
}

export interface NumberedLetter {
  readonly n: number;
  readonly letter: DeadLetter;
}

export function readAll(
  room: ReadingRoom,
  letters: readonly NumberedLetter[],
  foundBy: (n: number) => FoundBy = byPosition,
): Promise<readonly NewLetter[]> {
  const found = letters.map(({ n, letter }) => ({ letter, source: "bench", found: foundBy(n) }));
  return readLetters(room, found, systemClock);
}

function byPosition(n: number): FoundBy {
  return { kind: "position", position: `bench:0:${n}` };
}
