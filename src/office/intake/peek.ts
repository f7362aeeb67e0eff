import { type Clock, within } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { NewLetter } from "../../ledger/new-letter.ts";
import type { OpenedSource } from "../../sources/opened-source.ts";
import { noPeek, type PeekLimits } from "../../sources/peek.ts";
import { foundLetter } from "./found-letter.ts";
import { type FoundLetter, type ReadingRoom, readLetters } from "./read-letters.ts";

export interface PeekParts {
  readonly open: (source: string) => Promise<Pick<OpenedSource, "transport" | "peek">>;
  readonly room: ReadingRoom;
  readonly clock: Clock;
}

export interface PeekRequest {
  readonly source: string;
  readonly queue: string;
  readonly most: number;
}

/** A message as a letter would be made of it, and what it is made of. */
export interface PeekedLetter {
  readonly found: FoundLetter;
  readonly letter: NewLetter;
}

/** More is for a drain. With that much of each of the most that are looked at, an answer takes a few megabytes. */
const bytesEach = 131_072;
const limitMs = 10_000;

/** Reads what lies in a dead-letter queue as a drain would, and takes and keeps nothing of it. */
export async function peekQueue(
  { open, room, clock }: PeekParts,
  { source, queue, most }: PeekRequest,
): Promise<readonly PeekedLetter[]> {
  const over = new AbortController();
  const tooLate = (): never => {
    over.abort();
    throw late(source, queue);
  };
  const looking = look(open, { source, queue }, { most, bytesEach, signal: over.signal });
  const found = await within<readonly FoundLetter[]>(clock, limitMs, looking, tooLate);
  const letters = await readLetters({ ...room, bodies: null }, found, clock);
  return letters.flatMap((letter, index) => {
    const of = found[index];
    return of === undefined ? [] : [{ letter, found: of }];
  });
}

const unseen = noPeek("This source cannot be looked into without taking letters.", "Drain the queue (`dlo drain`).");

async function look(
  open: PeekParts["open"],
  { source, queue }: Omit<PeekRequest, "most">,
  limits: PeekLimits,
): Promise<readonly FoundLetter[]> {
  const { transport, peek = unseen } = await open(source);
  const lying = await peek(queue, limits);
  return lying.slice(0, limits.most).map(({ position, message, missingBodyBytes }, index) => {
    const delivery = { message, position, redelivered: false, source: { name: queue } };
    const found = foundLetter({ delivery, source, transport, session: new Uint8Array(16), ordinal: index + 1 });
    return missingBodyBytes === undefined ? found : { ...found, missingBodyBytes };
  });
}

function late(source: string, queue: string): OfficeError {
  const text = `${source}/${queue} was not read within ${limitMs / 1_000} s. Ask for fewer, or see with \`dlo doctor\` how its broker is.`;
  return new OfficeError("TRANSPORT_UNAVAILABLE", text, { details: { source, queue } });
}
