import { conditionsOf, type NotedRelease, type PlaceSearch } from "./find-sequence-places.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";
import type { SequencePlace } from "./sequence-places.ts";

/** Where a release stands among those that were noted. */
export interface ReleasePosition {
  readonly notedAt: number;
  readonly source: string;
  readonly queue: string;
  /** SHA-256 of the key, in hexadecimal digits. */
  readonly lane: string;
  readonly number: number;
}

export interface PendingRelease {
  readonly place: SequencePlace;
  readonly position: ReleasePosition;
  /** It has ended meanwhile, and its place may still be there. */
  readonly isEnded: boolean;
}

const milliseconds = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

/** What the clock of the database shows, as releases have it. */
export async function readReleaseClock({ database, at }: Ledger): Promise<number> {
  const { rows } = await database.query<{ now: number }>(`select ${milliseconds(`${at}.clock()`)} as now`);
  return rows[0]?.now ?? 0;
}

/** A release that was noted by then and had not ended: `pendingReleases` of that time has its place. */
export function wasPending(release: NotedRelease | undefined, atThatTime: number): boolean {
  if (release === undefined || release.notedAt > atThatTime) return false;
  return release.endedAt === null || release.endedAt > atThatTime;
}

/**
 * Releases that had been noted by then and had not ended, longest first. Not those whose places their stores have let go since, or
 * never had.
 */
export async function pendingReleases(
  ledger: Ledger,
  search: PlaceSearch & { readonly atThatTime: number; readonly after: ReleasePosition | null },
): Promise<readonly PendingRelease[]> {
  const { atThatTime, after, atMost } = search;
  const parameters = new Parameters();
  const then = parameters.add(atThatTime);
  const of = [
    ...conditionsOf(parameters, "r", search),
    after === null ? "" : `and (${order}) > (${positionOf(parameters, after)})`,
  ];
  const { rows } = await ledger.database.query<Row>(
    `select source, queue, encode(lane, 'hex') as lane, key, number, ${milliseconds("noted_at")} as "notedAt",
       state <> 'pending' as "isEnded"
     from ${ledger.at}.key_releases r
     where ${milliseconds("r.noted_at")} <= ${then}::float8 and (r.state = 'pending' or r.state not in ('released', 'gone')
         and r.ended_at >= to_timestamp(${then}::float8 / 1000) and ${milliseconds("r.ended_at")} > ${then}::float8)
       and ${withinScope(ledger, parameters, "r")} ${of.join(" ")}
     order by ${order} limit ${parameters.add(atMost)}`,
    parameters.values,
  );
  return rows.map(({ key, isEnded, ...row }) => {
    const position = { ...row, number: Number(row.number) };
    const { source, queue, number } = position;
    return { place: { source, queue, key, number }, position, isEnded };
  });
}

interface Row extends Omit<ReleasePosition, "number"> {
  readonly number: string;
  readonly key: Uint8Array;
  readonly isEnded: boolean;
}

const order = `${milliseconds("r.noted_at")}, r.source, r.queue, r.lane, r.number`;

function positionOf(parameters: Parameters, { notedAt, source, queue, lane, number }: ReleasePosition): string {
  return [
    `${parameters.add(notedAt)}::float8`,
    `${parameters.add(source)}::text`,
    `${parameters.add(queue)}::text`,
    `decode(${parameters.add(lane)}::text, 'hex')`,
    `${parameters.add(number)}::bigint`,
  ].join(", ");
}
