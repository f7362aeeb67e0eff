import { createHash } from "node:crypto";
import { type Database, quoteName } from "../domain/database.ts";
import type { DeadPlace } from "../domain/key-release.ts";
import { requireNumber } from "../domain/options.ts";
import type {
  BlockedKey,
  BlockedKeysAdmin,
  BlockedKeysSummary,
  Lane,
  LaneFinding,
  LaneOccupant,
  LaneQuestion,
  LaneRelease,
  LaneState,
} from "./blocked-keys.ts";

/** Places that are released in one transaction. It holds up their keys alone, and no key for long. */
const releasedAtOnce = 100;

/** It counts all that waits. What takes longer only burdens the consumers' database: whoever asked has given up. */
const summedWithinMs = 5_000;

export interface BlockedKeysTables {
  readonly database: Database;
  readonly schema: string;
}

interface BlockedRow {
  readonly queue: string;
  readonly key: Uint8Array;
  readonly state: LaneState;
  readonly number: string;
  readonly since: number;
  readonly behind: string;
}

interface FoundRow extends BlockedRow {
  readonly isBlocked: boolean;
  readonly placeState: LaneState | null;
  readonly placeAhead: string;
  readonly placeBehind: string;
}

/**
 * The blocked keys in a database of others, for one who administers them: a question makes no tables there and brings none up
 * to date. Without tables no key is blocked.
 */
export function foundBlockedKeys(tables: BlockedKeysTables): BlockedKeysAdmin {
  const { database, schema } = tables;
  const admin = blockedKeysAdmin(tables);
  const areThere = async () => {
    const sql = `select to_regclass($1) is not null as "areThere"`;
    const { rows } = await database.query<{ areThere: boolean }>(sql, [`${quoteName(schema)}.lane_places`]);
    return rows[0]?.areThere === true;
  };
  return {
    release: async (places) => ((await areThere()) ? admin.release(places) : places.map(() => "gone")),
    list: async (...of) => ((await areThere()) ? admin.list(...of) : []),
    find: async (asked) => ((await areThere()) ? admin.find(asked) : asked.map(() => ({ blocked: null, place: null }))),
    summarize: async () => ((await areThere()) ? admin.summarize() : []),
  };
}

/** Plain statements: the functions of these tables may be those of an older version. */
export function blockedKeysAdmin({ database, schema }: BlockedKeysTables): BlockedKeysAdmin {
  const sql = statements(schema);

  function releaseSome(places: readonly DeadPlace[]): Promise<readonly LaneRelease[]> {
    const columns = [places.map(({ queue }) => queue), places.map(digestOf), places.map(({ number }) => number)];
    return database.transaction(async (transaction) => {
      await transaction.query(sql.lock, [places.map((place) => lockOf(schema, place))]);
      const freed = await transaction.query<NthRow>(sql.free, columns);
      const released = new Set(freed.rows.map(({ nth }) => Number(nth) - 1));
      if (released.size > 0) await transaction.query(sql.moveUp, columns.slice(0, 2));
      const left = released.size === places.length ? [] : (await transaction.query<NthRow>(sql.has, columns)).rows;
      const alive = new Set(left.map(({ nth }) => Number(nth) - 1));
      return places.map((_, index) => (released.has(index) ? "released" : alive.has(index) ? "alive" : "gone"));
    });
  }

  return {
    async release(places) {
      const answers: LaneRelease[] = [];
      for (let start = 0; start < places.length; start += releasedAtOnce)
        answers.push(...(await releaseSome(places.slice(start, start + releasedAtOnce))));
      return answers;
    },
    async list(queue, { limit = 100, after = 0 } = {}) {
      requireNumber("limit", limit, { min: 1, max: 10_000, integer: true });
      const { rows } = await database.query<BlockedRow>(sql.list, [queue, after, limit]);
      return rows.map(blockedKeyOf);
    },
    async find(asked) {
      if (asked.length === 0) return [];
      const columns = [asked.map(({ queue }) => queue), asked.map(digestOf), asked.map(({ number }) => number)];
      const { rows } = await database.query<FoundRow>(sql.find, columns);
      return rows.map((row, index) => findingOf(row, asked[index] as LaneQuestion));
    },
    async summarize() {
      const { rows } = await database.transaction((transaction) =>
        transaction.query<SummaryRow>(`set local statement_timeout = ${summedWithinMs}; ${sql.summarize}`),
      );
      return rows.map(({ keys, behind, ...row }) => ({ ...row, keys: Number(keys), behind: Number(behind) }));
    },
  };
}

interface NthRow {
  readonly nth: string;
}

type SummaryRow = Omit<BlockedKeysSummary, "keys" | "behind"> & { readonly keys: string; readonly behind: string };

function blockedKeyOf({ queue, key, state, number, since, behind }: BlockedRow): BlockedKey {
  return { queue, key, state, number: Number(number), since, behind: Number(behind) };
}

function findingOf(row: FoundRow, { queue, key }: LaneQuestion): LaneFinding {
  const { isBlocked, placeState: state, placeAhead, placeBehind } = row;
  const place: LaneOccupant | null =
    state === null ? null : { state, ahead: Number(placeAhead), behind: Number(placeBehind) };
  return { blocked: isBlocked ? blockedKeyOf({ ...row, queue, key }) : null, place };
}

function statements(schema: string) {
  const places = `${quoteName(schema)}.lane_places`;
  const since = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8 as since`;
  const others = (of: string, which: string) =>
    `(select count(*) from ${places} o where o.queue = ${of}.queue and o.lane = ${of}.lane and ${which})`;
  const asked = "unnest($1::text[], $2::bytea[], $3::bigint[]) with ordinality as a (queue, lane, number, nth)";
  const isAsked = "p.queue = a.queue and p.lane = a.lane and p.number = a.number";
  const behind = others("f", "not o.first");
  return {
    // Whoever changes a lane holds this until it commits. In one order: two who release the same lanes don't wait for each other.
    lock: `select ${quoteName(schema)}.lock_lane(l.lock) from (select distinct lock from unnest($1::bigint[]) as u (lock) order by lock) l`,
    free: `delete from ${places} p using ${asked} where ${isAsked} and p.state = 'dead' returning a.nth`,
    has: `select a.nth from ${places} p join ${asked} on ${isAsked}`,
    moveUp: `update ${places} p set first = true
      from (select distinct queue, lane from unnest($1::text[], $2::bytea[]) as u (queue, lane)) l
      where p.queue = l.queue and p.lane = l.lane and not p.first and p.number = (
        select o.number from ${places} o where o.queue = l.queue and o.lane = l.lane order by o.number limit 1
      )`,
    list: `select f.queue, f.key, f.state, f.number, ${since("f.since")}, ${behind} as behind
      from ${places} f where ($1::text is null or f.queue = $1) and f.first and f.mark is null and f.number > $2::bigint
      order by f.number limit $3::integer`,
    find: `select f.number is not null as "isBlocked", f.state, f.number, ${since("f.since")}, ${behind} as behind,
        p.state as "placeState", ${others("p", "o.number < p.number")} as "placeAhead",
        ${others("p", "o.number > p.number")} as "placeBehind"
      from ${asked}
        left join ${places} f on f.queue = a.queue and f.lane = a.lane and f.first and f.mark is null
        left join ${places} p on ${isAsked} and p.mark is null
      order by a.nth`,
    summarize: `select f.queue, f.state, count(*) as keys, sum(${behind}) as behind, ${since("min(f.since)")}
      from ${places} f where f.first and f.mark is null group by f.queue, f.state order by f.queue, f.state`,
  };
}

export function digestOf({ key }: Lane): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Locks are the whole database's: the same key of another queue or schema, or in the transport, is another's. */
export function lockOf(schema: string, { queue, key }: Lane): string {
  const place = `blocked keys ${JSON.stringify([schema, queue])}`;
  return createHash("sha256").update(place).update(key).digest().readBigInt64BE().toString();
}
