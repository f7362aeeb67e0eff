import { type Database, quoteName } from "../domain/database.ts";
import { refuseUnknownNames } from "../domain/options.ts";
import { defaultSchema, prepareSchema, requireSchemaName } from "../schema/migrate.ts";
import type { BlockedKeys, BlockedKeysAdmin, Lane, LaneAnswer, LanePlace, LaneWeighing } from "./blocked-keys.ts";
import { blockedKeysAdmin, digestOf, lockOf } from "./postgres-blocked-keys-admin.ts";

export interface PostgresBlockedKeysOptions {
  /** Made by `pgDatabase` or `pgliteDatabase`. Each message with a key asks it once before its handler runs. */
  readonly database: Database;
  /** Where the tables are; they are made on first use, or by `migrate`. @default "dlo" */
  readonly schema?: string;
}

/** The blocked keys of all processes on one database. */
export function postgresBlockedKeys(options: PostgresBlockedKeysOptions): BlockedKeys {
  refuseUnknownNames(Object.keys(options), ["database", "schema"]);
  const { database, schema = defaultSchema } = options;
  requireSchemaName(schema);
  return { ...lanesIn(database, schema), ...adminIn(database, schema), ...passesIn(database, schema) };
}

/** Asks the database, which has the tables by then. */
function asker(database: Database, schema: string) {
  const ask = async <Row>(sql: string, values: readonly unknown[]) => {
    await prepareSchema(database, schema);
    return database.query<Row>(sql, values);
  };
  const did = async (sql: string, values: readonly unknown[]) => (await ask(sql, values)).count === 1;
  return { ask, did };
}

type PassMethods = Pick<BlockedKeys, "claimPass" | "endPass" | "countParked" | "weigh" | "released">;
type LaneMethods = Omit<BlockedKeys, keyof PassMethods | keyof BlockedKeysAdmin>;

function lanesIn(database: Database, schema: string): LaneMethods {
  const sql = laneStatements(schema);
  const { ask } = asker(database, schema);
  const note = async (statement: string, values: readonly unknown[]) => {
    const { rows } = await ask<{ answer: LaneAnswer }>(statement, values);
    return rows[0]?.answer ?? "lost";
  };
  const locked = (lane: Lane) => [lane.queue, digestOf(lane), lockOf(schema, lane)];
  return {
    async arrive(lane, { number, revived, mark, copy = null, turn }) {
      const values = [...locked(lane), lane.key, number, revived, mark, turn, copy];
      return placeOf((await ask<PlaceRow>(sql.arrive, values)).rows[0]);
    },
    async enter(lane, { mark, turn, charge = null }) {
      const { rows } = await ask<{ number: string }>(sql.enter, [...locked(lane), lane.key, mark, turn, charge]);
      return Number(rows[0]?.number);
    },
    charge: (lane, number, turn, charge) => note(sql.charge, [lane.queue, digestOf(lane), number, turn, charge]),
    keep: (lane, number, turn) => note(sql.keep, [lane.queue, digestOf(lane), number, turn]),
    confirm: (lane, number, turn, fate, copy = null) =>
      note(sql.confirm, [lane.queue, digestOf(lane), number, turn, fate, copy]),
    async leave(lane, number, turn) {
      const { rows } = await ask<{ left: "lost" | "open" | "parked" | "blocked" }>(sql.leave, [
        ...locked(lane),
        number,
        turn,
      ]);
      return rows[0]?.left ?? "lost";
    },
  };
}

function adminIn(database: Database, schema: string): BlockedKeysAdmin {
  const admin = blockedKeysAdmin({ database, schema });
  const prepared = () => prepareSchema(database, schema);
  return {
    release: (...of) => prepared().then(() => admin.release(...of)),
    list: (...of) => prepared().then(() => admin.list(...of)),
    find: (...of) => prepared().then(() => admin.find(...of)),
    summarize: () => prepared().then(() => admin.summarize()),
  };
}

function passesIn(database: Database, schema: string): PassMethods {
  const sql = passStatements(schema);
  const { ask, did } = asker(database, schema);
  return {
    claimPass: (queue, holder, leaseMs, { forReleases = false } = {}) =>
      did(sql.claim, [queue, holder, leaseMs, forReleases]),
    async endPass(queue, holder) {
      await ask(sql.end, [queue, holder]);
    },
    async countParked(queue) {
      const { rows } = await ask<{ n: string }>(sql.countParked, [queue]);
      return Number(rows[0]?.n ?? 0);
    },
    async weigh(lane, number): Promise<LaneWeighing> {
      const { rows } = await ask<{ turn: string; flows: boolean }>(sql.weigh, [lane.queue, digestOf(lane), number]);
      const [row] = rows;
      if (row === undefined) return { kind: "passed" };
      return row.flows ? { kind: "release", turn: row.turn } : { kind: "stay" };
    },
    async released(lane, number, turn) {
      await ask(sql.released, [lane.queue, digestOf(lane), number, turn]);
    },
  };
}

interface PlaceRow {
  readonly place: "free" | "passed" | "first" | "behind";
  readonly number: string | null;
  readonly charge: string | null;
}

function placeOf(row: PlaceRow | undefined): LanePlace {
  if (row === undefined) return { kind: "free" };
  const { place, number, charge } = row;
  if (place === "free" || place === "passed") return { kind: place };
  return place === "first" ? { kind: place, number: Number(number), charge } : { kind: place, number: Number(number) };
}

function laneStatements(schema: string) {
  const at = quoteName(schema);
  const mine = "queue = $1 and lane = $2 and number = $3::bigint";
  const change = (what: string) =>
    `with noted as (update ${at}.lane_places set ${what} where ${mine} and turn = $4 returning 1)
      select case when exists (select from noted) then 'noted'
        when exists (select from ${at}.lane_places where ${mine}) then 'lost' else 'passed' end as answer`;
  return {
    arrive: `select * from ${at}.arrive_in_lane($1, $2, $3::bigint, $4, $5::bigint, $6::boolean, $7, $8, $9::bytea)`,
    enter: `select ${at}.enter_lane($1, $2, $3::bigint, $4, $5, $6, $7) as number`,
    charge: change("charge = $5"),
    keep: change("state = 'waiting', charge = null"),
    confirm: change("state = $5, charge = null, mark = null, copy = coalesce($6::bytea, copy)"),
    leave: `select ${at}.leave_lane_place($1, $2, $3::bigint, $4::bigint, $5) as left`,
  };
}

function passStatements(schema: string) {
  const at = quoteName(schema);
  return {
    claim: `insert into ${at}.lane_passes (queue, holder, until)
      select $1, $2, ${at}.clock() + $3::float8 * interval '1 ms' where exists (
        select from ${at}.lane_places where queue = $1 and first and mark is null
          and (state = 'parked' or ($4::boolean and state = 'dead'))
      )
      on conflict (queue) do update set holder = excluded.holder, until = excluded.until
      where lane_passes.until <= ${at}.clock() or lane_passes.holder = excluded.holder`,
    end: `delete from ${at}.lane_passes where queue = $1 and holder = $2`,
    countParked: `select count(*) as n from ${at}.lane_places where queue = $1 and state = 'parked' and mark is null`,
    weigh: `select p.turn, f.mark is null and f.state in ('parked', 'released') as flows
      from ${at}.lane_places p join ${at}.lane_places f on f.queue = p.queue and f.lane = p.lane and f.first
      where p.queue = $1 and p.lane = $2 and p.number = $3::bigint`,
    released: `update ${at}.lane_places set state = 'released'
      where queue = $1 and lane = $2 and number = $3::bigint and turn = $4 and state = 'parked'`,
  };
}
