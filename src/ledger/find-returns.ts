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
  const unsettled = sendsByContent(await unsettledSends(ledger, transaction, letters));
  for (const letter of letters) {
    const alike = unsettled.get(contentOf(letter, letter.trail.payloadSha256));
    const [only, ...others] = alike === undefined ? [] : namedLike(alike, letter);
    if (alike !== undefined && only !== undefined && others.length === 0) {
      returns.set(letter, only);
      // A send takes one return.
      alike.sends.delete(only);
    } else {
      const [first] = alike?.sends ?? [];
      if (first !== undefined) maybes.set(letter, first.letter);
    }
  }
  return { returns, maybes };
}

/** Sends of one payload to one queue that nothing has come back of. A replay may have sent the same bytes thousands of times. */
interface AlikeSends {
  readonly sends: Set<SendMark>;
  /** By the names their senders gave them. */
  readonly byName: ReadonlyMap<string, readonly SendMark[]>;
}

function sendsByContent(rows: readonly CandidateRow[]): ReadonlyMap<string, AlikeSends> {
  const alike = new Map<string, { sends: Set<SendMark>; byName: Map<string, SendMark[]> }>();
  for (const row of rows) {
    const content = contentOf(row, row.payload_sha256);
    const { sends, byName } = alike.get(content) ?? { sends: new Set(), byName: new Map<string, SendMark[]>() };
    alike.set(content, { sends, byName });
    const mark = markOf(row);
    sends.add(mark);
    for (const name of namesOf(row)) pushTo(byName, name, mark);
  }
  return alike;
}

function pushTo(byName: Map<string, SendMark[]>, name: string, mark: SendMark): void {
  const known = byName.get(name);
  if (known === undefined) byName.set(name, [mark]);
  else known.push(mark);
}

/** Each send once, though several names may lead to it. */
function namedLike({ sends, byName }: AlikeSends, { trail }: NewLetter): readonly SendMark[] {
  const named = new Set(trail.names.flatMap((name) => byName.get(name) ?? []));
  return [...named].filter((send) => sends.has(send));
}

function contentOf(place: { readonly source: string; readonly queue: string }, sha256: Uint8Array | null): string {
  return JSON.stringify([place.source, place.queue, sha256 === null ? null : hexOf(sha256)]);
}

function namesOf({ reading, message_key: key }: CandidateRow): readonly string[] {
  return senderNames(JSON.parse(Buffer.from(reading).toString()) as NamedBySender, key);
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
  // Each payload once: letters by the hundred may have the same, and so may thousands of sends.
  const wanted = new Map(letters.map(({ queue, trail }) => [JSON.stringify([queue, shaOf(trail)]), { queue, trail }]));
  const { rows } = await transaction.query<CandidateRow>(
    `select ${sendColumns}, b.reading, b.message_key
     from unnest($1::text[], $2::text[]) as w (queue, sha256)
     join ${at}.sends s on s.queue = w.queue and s.payload_sha256 = decode(w.sha256, 'hex')
     join ${at}.replay_items i on i.replay_id = s.replay_id and i.n = s.n
     join ${at}.bodies b on b.letter_id = s.letter_id
     where s.returned_at is null and i.progress in ('sending', 'waiting', 'in_doubt', 'unknown', 'presumed')`,
    [[...wanted.values()].map(({ queue }) => queue), [...wanted.values()].map(({ trail }) => shaOf(trail))],
  );
  return rows;
}

function shaOf({ payloadSha256 }: NewLetter["trail"]): string {
  return payloadSha256 === null ? "" : hexOf(payloadSha256);
}
