import type { Queries } from "../domain/database.ts";
import type { ReplayVia } from "../domain/dead-letter.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { ItemDetails } from "./insert-replay.ts";
import type { Ledger } from "./ledger.ts";

/** Where an item stands. `sending`: meant to be sent, and not heard of yet. */
export type ItemProgress =
  | "not_yet_sent"
  | "sending"
  | "in_doubt"
  | "released"
  | "confirmed"
  | "presumed"
  | "suppressed"
  | "returned"
  | "unknown"
  | "waiting";

export interface ReplayItem {
  readonly n: number;
  readonly letterId: Uint8Array;
  readonly payloadSha256: Uint8Array | null;
  readonly revision: number;
  readonly source: string;
  readonly destination: string | null;
  /** The exchange and key by which it goes there; null: straight to the queue. */
  readonly via: ReplayVia | null;
  readonly strip: readonly string[];
  readonly decision: "replay" | "ack_required" | "skip";
  readonly reason: string;
  readonly details: ItemDetails;
  readonly mark: "excluded" | "drifted" | null;
  readonly markReason: string | null;
  readonly isAcknowledged: boolean;
  readonly progress: ItemProgress;
}

/** What it takes to judge an item again and to send it. What only people read is left out: all of a replay is read so. */
export interface ItemToSend
  extends Omit<ReplayItem, "strip" | "details" | "mark" | "markReason" | "progress" | "decision"> {
  /** Why a duplicate of it would not be recognized, where its plan said that besides its reason; null where it did not. */
  readonly told: string | null;
  /** Codes of further risks, which a person answers for together with its reason. */
  readonly risks: readonly string[];
}

interface RowToSend extends Omit<ItemToSend, "letterId" | "payloadSha256" | "via" | "isAcknowledged" | "risks"> {
  readonly risks: string | null;
  readonly letter_id: string;
  readonly payload_sha256: Uint8Array | null;
  readonly via: string | null;
  readonly is_acknowledged: boolean;
}

interface ItemRow
  extends Omit<ReplayItem, "letterId" | "payloadSha256" | "via" | "details" | "markReason" | "isAcknowledged"> {
  readonly letter_id: string;
  readonly payload_sha256: Uint8Array | null;
  readonly via: string | null;
  readonly details: string;
  readonly mark_reason: string | null;
  readonly is_acknowledged: boolean;
}

const columnsToSend = `n, letter_id, payload_sha256, revision, source, destination, via, reason,
  acknowledged_at is not null as is_acknowledged, details::jsonb ->> 'told' as told, details::jsonb ->> 'risks' as risks`;

const columns = `n, letter_id, payload_sha256, revision, source, destination, via, strip, decision, reason, details, mark,
  mark_reason, acknowledged_at is not null as is_acknowledged, progress`;

export interface ItemPage {
  readonly replay: Uint8Array;
  /** The last number of the page before. @default from the first */
  readonly after?: number;
  readonly limit: number;
  /** Only those. @default null */
  readonly decision?: ReplayItem["decision"] | null;
  /** Only those that stand there. @default null */
  readonly progress?: ItemProgress | null;
  /** Only those that go other than they came. @default false */
  readonly isEdited?: boolean;
}

/** A page of a plan, by number. */
export async function readItems(
  { at }: Ledger,
  queries: Queries,
  { replay, after = 0, limit, decision = null, progress = null, isEdited = false }: ItemPage,
): Promise<readonly ReplayItem[]> {
  const { rows } = await queries.query<ItemRow>(
    `select ${columns} from ${at}.replay_items
     where replay_id = $1 and n > $2 and ($4::text is null or decision = $4) and ($5::text is null or progress = $5)
       and (revision > 0 or not $6::boolean)
     order by n limit $3`,
    [uuidOf(replay), after, limit, decision, progress, isEdited],
  );
  return rows.map(itemOf);
}

/** The next ones that are to be sent, in order. */
export async function nextToSend(
  { database, at }: Ledger,
  { replay, after, limit }: { readonly replay: Uint8Array; readonly after: number; readonly limit: number },
): Promise<readonly ItemToSend[]> {
  const { rows } = await database.query<RowToSend>(
    `select ${columnsToSend} from ${at}.replay_items
     where replay_id = $1 and progress = 'not_yet_sent' and n > $2 and mark is null
       and (decision = 'replay' or (decision = 'ack_required' and acknowledged_at is not null))
     order by n limit $3`,
    [uuidOf(replay), after, limit],
  );
  return rows.map(itemToSend);
}

/** Those of these that are in doubt, in order. */
export async function doubtfulToSend(
  { database, at }: Ledger,
  replay: Uint8Array,
  numbers: readonly number[],
): Promise<readonly ItemToSend[]> {
  const { rows } = await database.query<RowToSend>(
    `select ${columnsToSend} from ${at}.replay_items
     where replay_id = $1 and n = any ($2::integer[]) and progress = 'in_doubt' and doubted_at is not null
     order by n`,
    [uuidOf(replay), numbers],
  );
  return rows.map(itemToSend);
}

/** How many items stand where: as many rows as there are ways to stand. */
export async function countStandings(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<readonly ItemCount[]> {
  const { rows } = await queries.query<Omit<ItemCount, "isAcknowledged"> & { is_acknowledged: boolean }>(
    `select decision, mark, acknowledged_at is not null as is_acknowledged, progress, count(*)::integer as n
     from ${at}.replay_items where replay_id = $1 group by 1, 2, 3, 4`,
    [uuidOf(replay)],
  );
  return rows.map(({ is_acknowledged: isAcknowledged, ...standing }) => ({ ...standing, isAcknowledged }));
}

/** Which letter each of these items is, and where it was sent. */
export async function readSent(
  { database, at }: Ledger,
  replay: Uint8Array,
  numbers: readonly number[],
): Promise<readonly { readonly n: number; readonly letterId: Uint8Array; readonly destination: string | null }[]> {
  const { rows } = await database.query<{ n: number; letter_id: string; destination: string | null }>(
    `select n, letter_id, destination from ${at}.replay_items where replay_id = $1 and n = any ($2::integer[])`,
    [uuidOf(replay), numbers],
  );
  return rows.map(({ n, letter_id: id, destination }) => ({ n, letterId: idOfUuid(id), destination }));
}

/** Over so long a replay's speed is taken, in seconds. */
const paceS = 20;

/** What went of late, and until when the running step is waited for. */
export async function readPace(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<{ readonly recent: number; readonly overS: number; readonly settlesInS: number | null }> {
  const { rows } = await queries.query<{ recent: number; overS: number | null; settlesInS: number | null }>(
    `select count(i.n)::integer as recent,
       least(${paceS}, extract(epoch from ${at}.clock() - max(r.started_at)))::float8 as "overS",
       extract(epoch from max(r.settles_at) - ${at}.clock())::float8 as "settlesInS"
     from ${at}.replays r left join ${at}.replay_items i
       on i.replay_id = r.id and i.sent_at > ${at}.clock() - ${paceS} * interval '1 second'
     where r.id = $1`,
    [uuidOf(replay)],
  );
  const [{ recent, overS, settlesInS } = { recent: 0, overS: 0, settlesInS: null }] = rows;
  return { recent, overS: overS ?? 0, settlesInS };
}

export type ItemCount = Pick<ReplayItem, "decision" | "mark" | "isAcknowledged" | "progress"> & { readonly n: number };

/** Numbers of the items somebody answered for, in order. */
export async function acknowledgedNumbers(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<readonly number[]> {
  const { rows } = await queries.query<{ n: number }>(
    `select n from ${at}.replay_items where replay_id = $1 and acknowledged_at is not null order by n`,
    [uuidOf(replay)],
  );
  return rows.map(({ n }) => n);
}

/** Numbers of the items with that risk that nobody answered for yet, in order. */
export async function numbersWithRisk(
  { at }: Ledger,
  queries: Queries,
  { replay, code }: { readonly replay: Uint8Array; readonly code: string },
): Promise<readonly number[]> {
  const { rows } = await queries.query<{ n: number }>(
    `select n from ${at}.replay_items
     where replay_id = $1 and decision = 'ack_required' and reason = $2 and mark is null and acknowledged_at is null
     order by n`,
    [uuidOf(replay), code],
  );
  return rows.map(({ n }) => n);
}

/** Codes of the risks somebody answered for. */
export async function acknowledgedRisks(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<readonly string[]> {
  const { rows } = await queries.query<{ reason: string }>(
    `select distinct risk as reason from ${at}.replay_items i cross join lateral (
       select i.reason union all select jsonb_array_elements_text(i.details::jsonb -> 'risks')
     ) as risks (risk)
     where i.replay_id = $1 and i.acknowledged_at is not null order by 1`,
    [uuidOf(replay)],
  );
  return rows.map(({ reason }) => reason);
}

function itemToSend(row: RowToSend): ItemToSend {
  const { n, revision, source, destination, reason, told } = row;
  return {
    ...{ n, letterId: idOfUuid(row.letter_id), payloadSha256: row.payload_sha256, revision, source, destination },
    ...{ via: viaIn(row.via), reason, told, isAcknowledged: row.is_acknowledged },
    risks: row.risks === null ? [] : (JSON.parse(row.risks) as readonly string[]),
  };
}

function viaIn(via: string | null): ReplayVia | null {
  return via === null ? null : (JSON.parse(via) as ReplayVia);
}

function itemOf(row: ItemRow): ReplayItem {
  const { letter_id: letterId, payload_sha256: payloadSha256, details, mark_reason: markReason, ...rest } = row;
  const { is_acknowledged: isAcknowledged, ...item } = rest;
  return {
    ...item,
    letterId: idOfUuid(letterId),
    payloadSha256,
    via: viaIn(row.via),
    details: JSON.parse(details) as ItemDetails,
    markReason,
    isAcknowledged,
  };
}
