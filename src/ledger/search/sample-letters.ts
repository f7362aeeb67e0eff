import { decodeHeaders } from "../../domain/header-codec.ts";
import type { Header } from "../../domain/message.ts";
import type { Ledger } from "../ledger.ts";

/** What letters can be compared by. Headers are unmasked: whoever shows them must mask them. */
export interface SampledLetter {
  readonly type: string | null;
  readonly consumer: string | null;
  readonly tenant: string | null;
  readonly code: string | null;
  readonly key: string | null;
  readonly drainedFrom: string;
  readonly routingKey: string | null;
  readonly attempts: number | null;
  /** Milliseconds since 1970. */
  readonly failedAt: number;
  readonly headers: readonly Header[];
}

interface Row extends Omit<SampledLetter, "failedAt" | "headers"> {
  readonly failed_at: Date;
  readonly header_bytes: Uint8Array | null;
}

const columns = `l.type, l.consumer, l.tenant, l.error_code as code, l.key, l.drained_from as "drainedFrom", l.attempts, l.failed_at,
  b.routing_key as "routingKey", b.headers as header_bytes`;

/** Headers that are longer are left out: a thousand letters are in memory at once. */
const headerBytesAtMost = 65_536;

/** One by one, by their ids: the database would rather read all bodies there are than look up so many. */
function bodyOf(at: string): string {
  return `left join lateral (
    select b.routing_key, case when octet_length(b.headers) <= ${headerBytesAtMost} then b.headers end as headers
    from ${at}.bodies b where b.letter_id = l.id limit 1
  ) b on true`;
}

/** The latest letters of a group, that of those merged into it among them; `groups` are UUIDs. */
export async function sampleGroup(
  { database, at }: Ledger,
  groups: readonly string[],
  atMost: number,
): Promise<readonly SampledLetter[]> {
  const { rows } = await database.query<Row>(
    `select ${columns} from (
       select l.* from unnest($1::uuid[]) as g (id) cross join lateral (
         select l.* from ${at}.letters l where l.group_id = g.id order by l.id desc limit $2
       ) l order by l.id desc limit $2
     ) l ${bodyOf(at)}`,
    [groups, atMost],
  );
  return rows.map(sampled);
}

interface Rest {
  readonly source: string;
  readonly queue: string;
  /** UUIDs of the groups that do not count. */
  readonly without: readonly string[];
}

/** As many as a group of its own is looked at with. */
const others = { groups: 20, lettersOfEach: 25 };

/**
 * The latest letters of the other groups of a queue, some of each of those that letters came to last. Not the latest of the queue:
 * in a storm those are all of the one group that is compared.
 */
export async function sampleRest(
  { database, at }: Ledger,
  { source, queue, without }: Rest,
): Promise<readonly SampledLetter[]> {
  const { rows } = await database.query<Row>(
    `select ${columns} from (
       select g.id from ${at}.groups g where g.source = $1 and g.queue = $2 and g.id <> all ($3::uuid[])
       order by g.last_arrived_at desc nulls last, g.id limit $4
     ) g cross join lateral (
       select l.* from ${at}.letters l where l.group_id = g.id order by l.id desc limit $5
     ) l ${bodyOf(at)}`,
    [source, queue, without, others.groups, others.lettersOfEach],
  );
  return rows.map(sampled);
}

function sampled({ failed_at: failedAt, header_bytes: headers, ...row }: Row): SampledLetter {
  return { ...row, failedAt: failedAt.getTime(), headers: decodeHeaders(headers) };
}
