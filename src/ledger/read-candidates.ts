import { type Category, ruleOfPeople, type SideEffect } from "../domain/classification.ts";
import { decodeHeaders } from "../domain/header-codec.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { LetterState } from "../domain/letter.ts";
import type { Message } from "../domain/message.ts";
import { sequenceNumber } from "../domain/sequence-number.ts";
import { lastPosition } from "./last-position.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";
import { placesOfLetters } from "./sequence-places.ts";

/** A letter as a replay looks at it, with the message as it came. */
export interface Candidate {
  readonly id: Uint8Array;
  readonly source: string;
  readonly broker: string;
  readonly queue: string;
  readonly drainedFrom: string;
  readonly state: LetterState;
  readonly category: Category;
  /** What it was taken for on arrival. */
  readonly was: Category;
  readonly confidence: number;
  readonly rule: string;
  readonly sideEffect: SideEffect;
  /** Why an attempt may have taken effect, or not: what the latest failure tells, or whoever said otherwise since. */
  readonly why: string;
  readonly groupId: Uint8Array;
  /** Milliseconds since 1970. */
  readonly failedAt: number;
  readonly failedAtBy: "letter" | "broker" | "arrival";
  readonly arrivedAt: number;
  readonly replays: number;
  readonly key: string | null;
  readonly orderKey: string | null;
  /** The replay that has it in hand or in doubt, as people see it; null when none has. */
  readonly claimedBy: Uint8Array | null;
  /** When the backup was made that it was restored from, in milliseconds since 1970: it may have been sent since. */
  readonly restoredTo: number | null;
  readonly message: Message;
  /** Its number among the messages of its key in its queue: that with which it failed last. Null: it has none. */
  readonly place: number | null;
  /** Where it was found last: it may have been dead again since it came. */
  readonly position: string | null;
  readonly exchange: string | null;
  readonly routingKey: string | null;
  /** Null: `message.body` is all of it. Otherwise where it is kept, or that it is not. */
  readonly absent: { readonly kind: "by_reference"; readonly ref: string } | { readonly kind: "missing" } | null;
  /** Bytes that were kept, where the body or its headers were cut. */
  readonly cutTo: number | null;
}

/** It is what somebody says that it is, and goes by that word: others have to look, and it never goes by itself. */
export function isNamedByPerson({ rule }: Pick<Candidate, "rule">): boolean {
  return rule === ruleOfPeople;
}

interface Row {
  readonly id: string;
  readonly source: string;
  readonly broker: string;
  readonly queue: string;
  readonly drained_from: string;
  readonly state: LetterState;
  readonly category: Category;
  readonly was: Category;
  readonly confidence: number;
  readonly rule: string;
  readonly side_effect: SideEffect;
  readonly why: string;
  readonly group_id: string;
  readonly failed_at: number;
  readonly failed_at_by: Candidate["failedAtBy"];
  readonly arrived_at: number;
  readonly replays: number;
  readonly key: string | null;
  readonly order_key: string | null;
  readonly restored_to: number | null;
  readonly body: Uint8Array | null;
  readonly body_ref: string | null;
  readonly headers: Uint8Array | null;
  readonly properties: Uint8Array | null;
  readonly message_key: Uint8Array | null;
  readonly position: string | null;
  readonly exchange: string | null;
  readonly routing_key: string | null;
  readonly cut: string | null;
}

/** In the order of arrival; ids nobody has are left out. */
export async function readCandidates(ledger: Ledger, ids: readonly Uint8Array[]): Promise<readonly Candidate[]> {
  const { database, at } = ledger;
  const parameters = new Parameters();
  // Each table is told which: joined to letters alone, they were searched in all their partitions, for seconds.
  const wanted = `any (${parameters.add(ids.map(uuidOf))}::uuid[])`;
  // What it costs is judged by the planner's guesses: dear-looking questions for each letter had the server compile the statement anew,
  // which took three times as long as answering it. So who has a letter in hand is asked apart, and of the few that somebody has.
  const { rows } = await database.query<Row>(
    `select l.id, l.source, l.broker, l.queue, l.drained_from, l.state, l.category, l.was, l.confidence, l.rule, l.side_effect, c.why, l.group_id,
       (extract(epoch from l.failed_at) * 1000)::float8 as failed_at, l.failed_at_by,
       (extract(epoch from l.arrived_at) * 1000)::float8 as arrived_at, l.replays, l.key, l.order_key,
       case when l.arrived_at <= r.restored_to then (extract(epoch from r.restored_to) * 1000)::float8 end as restored_to,
       b.body, b.body_ref, b.headers, b.properties, b.message_key, b.exchange, b.routing_key, b.cut,
       ${lastPosition(at)} as position
     from ${at}.letters l
     join ${at}.bodies b on b.letter_id = l.id and b.letter_id = ${wanted}
     join (
       -- Whoever said what it is, and left the doubt as it was, gave no reason for the doubt.
       select distinct on (letter_id) letter_id, why from (
         select letter_id, n, why, by, side_effect, lag(side_effect) over (partition by letter_id order by n) as before
         from ${at}.classifications where letter_id = ${wanted}
       ) said where by is null or side_effect <> before order by letter_id, n desc
     ) c on c.letter_id = l.id
     cross join (select max(backup_at) as restored_to from ${at}.incarnations) r
     where l.id = ${wanted} and ${withinScope(ledger, parameters, "l")} order by l.id`,
    parameters.values,
  );
  const taken = rows.filter(({ state }) => state === "in_replay" || state === "in_doubt");
  const claims = taken.length === 0 ? new Map<string, string>() : await readClaims(ledger, taken);
  const places = await latestPlaces(
    ledger,
    rows.filter(({ replays, message_key: key }) => replays > 0 && key !== null),
  );
  return rows.map((row) => candidateOf(row, { claim: claims.get(row.id) ?? null, place: places.get(row.id) ?? null }));
}

/** The replays that have letters in hand or in doubt, by letter. */
async function readClaims(
  { database, at }: Ledger,
  letters: readonly Pick<Row, "id">[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query<{ letter_id: string; replay_id: string }>(
    `select letter_id, replay_id from ${at}.replay_items
     where letter_id = any ($1::uuid[]) and progress in ('sending', 'in_doubt')`,
    [letters.map(({ id }) => id)],
  );
  return new Map(rows.map(({ letter_id: letter, replay_id: replay }) => [letter, replay]));
}

/** Where letters that were sent before stand now: numbers grow, and whoever lost a place took a higher one. */
async function latestPlaces(ledger: Ledger, letters: readonly Pick<Row, "id">[]): Promise<ReadonlyMap<string, number>> {
  const latest = new Map<string, number>();
  if (letters.length === 0) return latest;
  const ids = letters.map(({ id }) => idOfUuid(id));
  for (const { letter, number } of await placesOfLetters(ledger, ledger.database, ids)) {
    const id = uuidOf(letter);
    latest.set(id, Math.max(number, latest.get(id) ?? number));
  }
  return latest;
}

interface SinceArrival {
  readonly claim: string | null;
  readonly place: number | null;
}

function candidateOf(row: Row, { claim: claimedBy, place }: SinceArrival): Candidate {
  const message = messageOf(row);
  return {
    id: idOfUuid(row.id),
    source: row.source,
    broker: row.broker,
    queue: row.queue,
    drainedFrom: row.drained_from,
    state: row.state,
    category: row.category,
    was: row.was,
    confidence: row.confidence,
    rule: row.rule,
    sideEffect: row.side_effect,
    why: row.why,
    groupId: idOfUuid(row.group_id),
    failedAt: row.failed_at,
    failedAtBy: row.failed_at_by,
    arrivedAt: row.arrived_at,
    replays: row.replays,
    key: row.key,
    orderKey: row.order_key,
    restoredTo: row.restored_to,
    claimedBy: claimedBy === null ? null : idOfUuid(claimedBy),
    message,
    place: message.key === null ? null : (place ?? sequenceNumber(message.headers, row.queue)),
    position: row.position,
    exchange: row.exchange,
    routingKey: row.routing_key,
    absent: absenceOf(row),
    cutTo: cutOf(row),
  };
}

function messageOf({ body, headers, properties, message_key: key }: Row): Message {
  return {
    body: body ?? new Uint8Array(),
    headers: decodeHeaders(headers),
    key,
    properties: decodeHeaders(properties),
  };
}

function absenceOf({ body, body_ref: ref }: Row): Candidate["absent"] {
  if (body !== null) return null;
  return ref === null ? { kind: "missing" } : { kind: "by_reference", ref };
}

/** A stack that was cut takes nothing from the message. */
function cutOf({ cut, body }: Row): number | null {
  const lengths = cut === null ? {} : (JSON.parse(cut) as Readonly<Record<string, number>>);
  const isCut = ["body", "headers", "properties"].some((name) => name in lengths);
  return isCut ? (body?.byteLength ?? 0) : null;
}

/** Letters of these ordering keys that nobody has decided about, in the order of arrival, by lane; their ids in hexadecimal digits. */
export async function readLanes(
  { database, at }: Ledger,
  lanes: readonly Lane[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  // Each lane once, though hundreds of letters may be in it: whoever asks for all of a lane for each of its letters reads its square.
  const wanted = [...new Map(lanes.map((lane) => [laneName(lane), lane])).values()];
  const { rows } = await database.query<{ queue: string; order_key: string; ids: readonly string[] }>(
    `select k.queue, k.order_key, array(
       select replace(l.id::text, '-', '') from ${at}.letters l
       where l.queue = k.queue and l.order_key = k.order_key
         and l.state in ('open', 'returned', 'in_replay', 'in_doubt')
       order by l.id
     ) as ids
     from unnest($1::text[], $2::text[]) as k (queue, order_key)`,
    [wanted.map(({ queue }) => queue), wanted.map(({ orderKey }) => orderKey)],
  );
  return new Map(rows.map(({ queue, order_key: orderKey, ids }) => [laneName({ queue, orderKey }), ids]));
}

export interface Lane {
  readonly queue: string;
  readonly orderKey: string;
}

export function laneName({ queue, orderKey }: Lane): string {
  return JSON.stringify([queue, orderKey]);
}
