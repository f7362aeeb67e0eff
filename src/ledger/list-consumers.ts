import type { HandledSchema } from "../domain/report.ts";
import { silentS } from "./consumers.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";

/** One version of a service at work on one queue, as its processes report. Times are ISO 8601. */
export interface ReportedConsumer {
  readonly source: string;
  readonly queue: string;
  readonly service: string;
  readonly version: string;
  /** Processes heard of lately, by the ledger's clock: 0 where all are silent. */
  readonly instances: number;
  readonly firstSeenAt: string;
  /** Null where its processes are forgotten: others took their place long ago. */
  readonly lastSeenAt: string | null;
  readonly schemas: readonly HandledSchema[];
}

interface Row extends Omit<ReportedConsumer, "firstSeenAt" | "lastSeenAt" | "schemas"> {
  readonly first_seen_at: Date;
  readonly last_seen_at: Date | null;
  readonly schemas: string;
}

/** Every version that was ever seen, those at work first. */
export async function listConsumers(ledger: Ledger, atMost: number): Promise<readonly ReportedConsumer[]> {
  const { at } = ledger;
  const parameters = new Parameters();
  const { rows } = await ledger.database.query<Row>(
    `select v.source, v.queue, v.service, v.version, v.first_seen_at, count(*) filter (where c.works)::integer as instances,
       max(c.last_seen_at) as last_seen_at, coalesce(max(c.schemas) filter (where c.works), max(c.schemas), '[]') as schemas
     from ${at}.consumer_versions v left join (
       select c.*, c.last_seen_at > ${at}.clock() - ${parameters.add(silentS)}::integer * interval '1 s' as works
       from ${at}.consumers c
     ) c on c.source = v.source and c.queue = v.queue and c.service = v.service and c.version = v.version
     where ${withinScope(ledger, parameters, "v")}
     group by 1, 2, 3, 4, 5
     order by count(*) filter (where c.works) = 0, v.service, v.queue, v.first_seen_at desc limit ${parameters.add(atMost)}`,
    parameters.values,
  );
  return rows.map(({ first_seen_at: firstSeenAt, last_seen_at: lastSeenAt, schemas, ...row }) => ({
    ...row,
    schemas: JSON.parse(schemas) as readonly HandledSchema[],
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  }));
}
