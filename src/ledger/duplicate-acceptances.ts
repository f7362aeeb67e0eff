import type { AcceptanceGround } from "../domain/acceptance-grounds.ts";
import type { Queries } from "../domain/database.ts";
import { uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { nameWithinScope } from "./search/within-scope.ts";

/** A person's word about duplicates in a queue. */
export interface DuplicateAcceptance {
  readonly source: string;
  readonly queue: string;
  readonly because: AcceptanceGround;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
  /** Null while it holds. */
  readonly revokedBy: string | null;
  readonly revokedAt: string | null;
}

export type NewAcceptance = Pick<DuplicateAcceptance, "source" | "queue" | "because" | "reason" | "by">;

/** False where somebody's word holds already. */
export async function insertAcceptance(
  { at }: Ledger,
  queries: Queries,
  id: Uint8Array,
  { source, queue, because, reason, by }: NewAcceptance,
): Promise<boolean> {
  const { count } = await queries.query(
    `insert into ${at}.duplicate_acceptances (id, source, queue, because, reason, accepted_by)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [uuidOf(id), source, queue, because, reason, by],
  );
  return count > 0;
}

/** False where there is none to revoke. */
export async function revokeAcceptance(
  { at }: Ledger,
  queries: Queries,
  { source, queue, by }: Pick<NewAcceptance, "source" | "queue" | "by">,
): Promise<boolean> {
  const { count } = await queries.query(
    `update ${at}.duplicate_acceptances set revoked_by = $3, revoked_at = ${at}.clock()
     where source = $1 and queue = $2 and revoked_at is null`,
    [source, queue, by],
  );
  return count > 0;
}

interface Row {
  readonly source: string;
  readonly queue: string;
  readonly because: AcceptanceGround;
  readonly reason: string;
  readonly accepted_by: string;
  readonly accepted_at: Date;
  readonly revoked_by: string | null;
  readonly revoked_at: Date | null;
}

/** Those that hold first, then the newest. */
export async function listAcceptances(
  ledger: Ledger,
  {
    place,
    limit,
  }: { readonly place: { readonly source: string; readonly queue: string } | null; readonly limit: number },
): Promise<readonly DuplicateAcceptance[]> {
  const parameters = new Parameters();
  const source = parameters.add(place?.source ?? null);
  const queue = parameters.add(place?.queue ?? null);
  const { rows } = await ledger.database.query<Row>(
    `select source, queue, because, reason, accepted_by, accepted_at, revoked_by, revoked_at
     from ${ledger.at}.duplicate_acceptances
     where (${source}::text is null or (source = ${source} and queue = ${queue}))
       and ${nameWithinScope(ledger, parameters, "source || '/' || queue")}
     order by (revoked_at is null) desc, accepted_at desc, id desc limit ${parameters.add(limit)}`,
    parameters.values,
  );
  return rows.map((row) => ({
    ...{ source: row.source, queue: row.queue, because: row.because, reason: row.reason, by: row.accepted_by },
    ...{ at: row.accepted_at.toISOString(), revokedBy: row.revoked_by },
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }));
}

/** Those of these queues, of whichever source, in which somebody accepts duplicates, as `source/queue`. */
export async function acceptedQueues(
  { database, at }: Ledger,
  queues: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ place: string }>(
    `select source || '/' || queue as place from ${at}.duplicate_acceptances
     where revoked_at is null and queue = any ($1::text[])`,
    [[...new Set(queues)]],
  );
  return new Set(rows.map(({ place }) => place));
}
