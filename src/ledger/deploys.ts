import type { Queries } from "../domain/database.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { HandledSchema } from "../domain/report.ts";
import type { Ledger } from "./ledger.ts";

/** A version of a service that went live, as somebody recorded it. */
export interface Deploy {
  readonly id: Uint8Array;
  readonly service: string;
  readonly version: string;
  readonly queues: readonly string[];
  /** Empty where nobody said. */
  readonly schemas: readonly HandledSchema[];
  /** Milliseconds since 1970. */
  readonly deployedAt: number;
  readonly recordedBy: string;
}

interface Row {
  readonly id: string;
  readonly service: string;
  readonly version: string;
  readonly queues: readonly string[];
  readonly schemas: string;
  readonly deployed_at: Date;
  readonly recorded_by: string;
}

const columns = "id, service, version, queues, schemas, deployed_at, recorded_by";

export async function insertDeploy({ at }: Ledger, queries: Queries, deploy: Deploy): Promise<void> {
  const { id, service, version, queues, schemas, deployedAt, recordedBy } = deploy;
  await queries.query(
    `insert into ${at}.deploys (${columns}) values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), $7)`,
    [uuidOf(id), service, version, queues, JSON.stringify(schemas), deployedAt, recordedBy],
  );
}

/** Newest first. */
export async function listDeploys({ database, at }: Ledger, limit: number): Promise<readonly Deploy[]> {
  const { rows } = await database.query<Row>(
    `select ${columns} from ${at}.deploys order by deployed_at desc, id desc limit $1`,
    [limit],
  );
  return rows.map(deployOf);
}

/** The latest of each service on each of these queues, newest first. */
export async function latestDeploys(
  { database, at }: Ledger,
  queues: readonly string[],
): Promise<ReadonlyMap<string, readonly Deploy[]>> {
  const { rows } = await database.query<Row & { readonly of_queue: string }>(
    `select * from (
       select distinct on (q.queue, d.service) q.queue as of_queue, d.*
       from unnest($1::text[]) as q (queue) join ${at}.deploys d on d.queues @> array[q.queue]
       order by q.queue, d.service, d.deployed_at desc, d.id desc
     ) latest order by deployed_at desc, id desc`,
    [[...new Set(queues)]],
  );
  const byQueue = new Map<string, Deploy[]>();
  for (const row of rows) byQueue.set(row.of_queue, [...(byQueue.get(row.of_queue) ?? []), deployOf(row)]);
  return byQueue;
}

function deployOf({ id, service, version, queues, schemas, deployed_at: at, recorded_by: recordedBy }: Row): Deploy {
  return {
    ...{ id: idOfUuid(id), service, version, queues, deployedAt: at.getTime(), recordedBy },
    schemas: JSON.parse(schemas) as readonly HandledSchema[],
  };
}
