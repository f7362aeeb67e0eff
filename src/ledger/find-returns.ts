import type { Queries } from "../domain/database.ts";
import { hexOf, idOfUuid, uuidOf } from "../domain/ids.ts";
import { type SendMark, showSend } from "../domain/send-mark.ts";
import type { Ledger } from "./ledger.ts";
import type { NewLetter } from "./new-letter.ts";
import { type NamedBySender, senderNames } from "./sender-names.ts";

/** What the ledger knows of where dead messages had been before. */
export interface FoundReturns {
  /** Messages that a replay had sent, and nobody else. */
  readonly returns: ReadonlyMap<NewLetter, SendMark>;
  /** Those that may be: the letter of which they may be a return. */
  readonly maybes: ReadonlyMap<NewLetter, Uint8Array>;
}

interface SendRow {
  readonly replay_id: string;
  readonly n: number;
  readonly letter_id: string;
  readonly source: string;
  readonly queue: string;
  readonly payload_sha256: Uint8Array;
}

const sendColumns = "s.replay_id, s.n, s.letter_id, s.source, s.queue, s.payload_sha256";

/**
 * Finds which of these messages replays had sent. A mark is not believed by itself: services copy headers onto what they
 * send, and anybody can write them. It counts if the ledger knows that send, to that queue, with that payload.
 */
export async function findReturns(
  ledger: Ledger,
  transaction: Queries,
  letters: readonly NewLetter[],
): Promise<FoundReturns> {
  const returns = await markedReturns(ledger, transaction, letters);
  const others = letters.filter(({ trail }) => trail.mark === null && trail.payloadSha256 !== null);
  const guessed = await unmarkedReturns(ledger, transaction, others);
  return { returns: new Map([...returns, ...guessed.returns]), maybes: guessed.maybes };
}

async function markedReturns(
  { at }: Ledger,
  transaction: Queries,
  letters: readonly NewLetter[],
): Promise<ReadonlyMap<NewLetter, SendMark>> {
  const marks = letters.flatMap(({ trail }) => (trail.mark === null ? [] : [trail.mark]));
  if (marks.length === 0) return new Map();
  const { rows } = await transaction.query<SendRow>(
    `select ${sendColumns} from unnest($1::uuid[], $2::integer[]) as m (replay_id, n)
     join ${at}.sends s on s.replay_id = m.replay_id and s.n = m.n
     join ${at}.letters l on l.id = s.letter_id`,
    [marks.map(({ replay }) => uuidOf(replay)), marks.map(({ n }) => n)],
  );
  const sends = new Map(rows.map((row) => [showSend(markOf(row)), row]));
  return new Map(
    letters.flatMap((letter) => {
      const { mark } = letter.trail;
      const send = mark === null ? undefined : sends.get(showSend(mark));
      const isSo = mark !== null && send !== undefined && uuidOf(mark.letter) === send.letter_id && fits(letter, send);
      return isSo ? [[letter, mark] as const] : [];
    }),
  );
}

function fits({ source, queue, trail }: NewLetter, send: SendRow): boolean {
  const sha256 = trail.payloadSha256;
  return (
    send.source === source && send.queue === queue && sha256 !== null && hexOf(sha256) === hexOf(send.payload_sha256)
  );
}

function markOf({ replay_id: replay, n, letter_id: letter }: SendRow): SendMark {
  return { replay: idOfUuid(replay), n, letter: idOfUuid(letter) };
}

interface CandidateRow extends SendRow {
  readonly reading: Uint8Array;
  readonly message_key: Uint8Array | null;
}

/**
 * A consumer that drops headers it does not know takes our marks with it. What comes back then is a return if one send
 * alone can be meant: to that queue, not settled, with that payload and a name its sender gave it.
 */
async function unmarkedReturns(
  ledger: Ledger,
  transaction: Queries,
  letters: readonly NewLetter[],
): Promise<FoundReturns> {
  const returns = new Map<NewLetter, SendMark>();
  const maybes = new Map<NewLetter, Uint8Array>();
  const queues = [...new Set(letters.map(({ queue }) => queue))];
  if (queues.length === 0 || !(await haveSends(ledger, transaction, queues))) return { returns, maybes };
  const candidates = await unsettledSends(ledger, transaction, letters);
  const taken = new Set<string>();
  for (const letter of letters) {
    const possible = candidates.filter((send) => fits(letter, send) && !taken.has(showSend(markOf(send))));
    const named = possible.filter((send) => sharesName(letter, send));
    const [only] = named;
    if (only !== undefined && named.length === 1) {
      returns.set(letter, markOf(only));
      // A send takes one return.
      taken.add(showSend(markOf(only)));
    } else if (possible[0] !== undefined) maybes.set(letter, idOfUuid(possible[0].letter_id));
  }
  return { returns, maybes };
}

/** Most queues were never replayed to: one look spares the others. */
async function haveSends({ at }: Ledger, transaction: Queries, queues: readonly string[]): Promise<boolean> {
  const { count } = await transaction.query(
    `select from ${at}.sends where queue = any ($1::text[]) and returned_at is null limit 1`,
    [queues],
  );
  return count > 0;
}

async function unsettledSends(
  { at }: Ledger,
  transaction: Queries,
  letters: readonly NewLetter[],
): Promise<readonly CandidateRow[]> {
  const { rows } = await transaction.query<CandidateRow>(
    `select distinct ${sendColumns}, b.reading, b.message_key
     from unnest($1::text[], $2::text[]) as w (queue, sha256)
     join ${at}.sends s on s.queue = w.queue and s.payload_sha256 = decode(w.sha256, 'hex')
     join ${at}.replay_items i on i.replay_id = s.replay_id and i.n = s.n
     join ${at}.bodies b on b.letter_id = s.letter_id
     where s.returned_at is null and i.progress in ('sending', 'waiting', 'in_doubt', 'unknown', 'presumed')`,
    [
      letters.map(({ queue }) => queue),
      letters.map(({ trail }) => (trail.payloadSha256 === null ? "" : hexOf(trail.payloadSha256))),
    ],
  );
  return rows;
}

function sharesName({ trail }: NewLetter, { reading, message_key: key }: CandidateRow): boolean {
  const own = senderNames(JSON.parse(Buffer.from(reading).toString()) as NamedBySender, key);
  return trail.names.some((name) => own.includes(name));
}
