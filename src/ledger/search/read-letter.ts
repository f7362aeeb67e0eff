import type { Category } from "../../domain/classification.ts";
import { OfficeError } from "../../domain/errors.ts";
import { decodeHeaders } from "../../domain/header-codec.ts";
import { hexOf, readId, uuidOf } from "../../domain/ids.ts";
import type { Header } from "../../domain/message.ts";
import type { Ledger } from "../ledger.ts";
import { ownStack } from "../stack-text.ts";
import { type LetterRow, type LetterSummary, summaryColumns, summaryOf } from "./find-letters.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** All that the ledger has of a letter. Nothing in it is masked: whoever shows it must. */
export interface WholeLetter {
  readonly summary: LetterSummary;
  /** Null where it is kept by reference or was never had. */
  readonly body: Uint8Array | null;
  /** Where it is kept instead. */
  readonly bodyRef: string | null;
  /** As what it was stored there; null for letters of older versions too. */
  readonly bodyPlace: string | null;
  readonly sha256: string | null;
  readonly headers: readonly Header[];
  readonly properties: readonly Header[];
  readonly messageKey: Uint8Array | null;
  readonly position: string | null;
  /** When it was first sent, as far as it says. */
  readonly enqueuedAt: string | null;
  readonly keys: readonly string[];
  readonly stack: string | null;
  /** What its dialect made of it. */
  readonly reading: unknown;
  /** What was too long, with its full length. */
  readonly cut: Readonly<Record<string, number>> | null;
  /** Every classification it ever had, the one on arrival first. */
  readonly classifications: readonly PastClassification[];
  /** What happened after it came here. */
  readonly attempts: readonly PastAttempt[];
  /** Each time that it died again after a replay, oldest first. */
  readonly returns: readonly PastReturn[];
  /** What tells it from others. */
  readonly key: string | null;
}

export interface PastClassification {
  readonly n: number;
  readonly at: string;
  readonly category: Category;
  readonly confidence: number;
  readonly rule: string;
  readonly why: string;
  readonly sideEffect: string;
  readonly runnerUp: Category | null;
  readonly by: string | null;
}

export interface PastAttempt {
  readonly n: number;
  readonly at: string;
  readonly kind: string;
  readonly replay: string | null;
  readonly errorClass: string | null;
  readonly errorMessage: string | null;
}

/** How it died again. */
export interface PastReturn {
  /** The replay that had sent it. */
  readonly replay: string | null;
  readonly headers: readonly Header[];
  readonly properties: readonly Header[];
  readonly stack: string | null;
  /** What its dialect made of it. */
  readonly reading: unknown;
}

interface WholeRow extends LetterRow {
  readonly body: Uint8Array | null;
  readonly body_ref: string | null;
  readonly body_place: string | null;
  readonly sha256: Uint8Array | null;
  readonly headers: Uint8Array | null;
  readonly properties: Uint8Array | null;
  readonly message_key: Uint8Array | null;
  readonly position: string | null;
  readonly enqueued_at: Date | null;
  readonly keys: readonly string[];
  readonly reading: Uint8Array;
  readonly cut: string | null;
  readonly stack: string | null;
}

export async function readLetter(ledger: Ledger, id: string): Promise<WholeLetter> {
  const { database, at } = ledger;
  const uuid = uuidOf(readId("letter", id));
  const parameters = new Parameters();
  const given = parameters.add(uuid);
  const { rows } = await database.query<WholeRow>(
    `select ${summaryColumns}, b.body, b.body_ref, b.body_place, b.sha256, b.headers, b.properties, b.message_key, b.position, b.keys,
       b.reading, b.cut, l.enqueued_at, (select s.stack from ${at}.stacks s where s.id = b.stack_id limit 1) as stack
     from ${at}.letters l join ${at}.bodies b on b.letter_id = l.id 
     where l.id = ${given} and b.letter_id = ${given} and ${withinScope(ledger, parameters, "l")}`,
    parameters.values,
  );
  const [row] = rows;
  if (row === undefined) throw letterNotFound(id);
  const reading = JSON.parse(Buffer.from(row.reading).toString()) as { readonly errorMessage?: string | null };
  return {
    summary: summaryOf(row),
    body: row.body,
    bodyRef: row.body_ref,
    bodyPlace: row.body_place,
    sha256: row.sha256 === null ? null : hexOf(row.sha256),
    headers: decodeHeaders(row.headers),
    properties: decodeHeaders(row.properties),
    messageKey: row.message_key,
    position: row.position,
    enqueuedAt: row.enqueued_at?.toISOString() ?? null,
    keys: row.keys,
    stack: row.stack === null ? null : ownStack(row.stack, reading.errorMessage ?? null),
    reading,
    cut: row.cut === null ? null : (JSON.parse(row.cut) as Record<string, number>),
    classifications: await classificationsOf(ledger, uuid),
    attempts: await attemptsOf(ledger, uuid),
    returns: await returnsOf(ledger, uuid),
    key: await keyOf(ledger, uuid),
  };
}

export function letterNotFound(id: string): OfficeError {
  return new OfficeError("LETTER_NOT_FOUND", `There is no letter ${id}. It may be older than retention.`, {
    details: { id },
  });
}

async function classificationsOf({ database, at }: Ledger, uuid: string): Promise<readonly PastClassification[]> {
  const { rows } = await database.query<Omit<PastClassification, "at"> & { readonly at: Date }>(
    `select n, at, category, confidence, rule, why, side_effect as "sideEffect", runner_up as "runnerUp", by
     from ${at}.classifications where letter_id = $1 order by n`,
    [uuid],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString(), confidence: Number(row.confidence.toFixed(4)) }));
}

async function attemptsOf({ database, at }: Ledger, uuid: string): Promise<readonly PastAttempt[]> {
  const { rows } = await database.query<Omit<PastAttempt, "at"> & { readonly at: Date }>(
    `select n, at, kind, replay, error_class as "errorClass", error_message as "errorMessage"
     from ${at}.attempts where letter_id = $1 order by n`,
    [uuid],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

async function returnsOf({ database, at }: Ledger, uuid: string): Promise<readonly PastReturn[]> {
  const { rows } = await database.query<{
    replay: string | null;
    headers: Uint8Array | null;
    properties: Uint8Array | null;
    stack: string | null;
    details: string;
  }>(
    `select a.replay, a.headers, a.properties, a.details,
       (select s.stack from ${at}.stacks s where s.id = a.stack_id limit 1) as stack
     from ${at}.attempts a where a.letter_id = $1 and a.kind = 'returned' order by a.n`,
    [uuid],
  );
  return rows.map(({ replay, headers, properties, stack, details }) => {
    const { reading = null } = JSON.parse(details) as { readonly reading?: { readonly errorMessage?: string | null } };
    return {
      // As it is sent: which replay, and the how-manieth message of it.
      replay: replay?.split("/")[0] ?? null,
      headers: decodeHeaders(headers),
      properties: decodeHeaders(properties),
      stack: stack === null ? null : ownStack(stack, reading?.errorMessage ?? null),
      reading,
    };
  });
}

async function keyOf({ database, at }: Ledger, uuid: string): Promise<string | null> {
  const { rows } = await database.query<{ key: Uint8Array }>(
    `select key from ${at}.letter_keys where letter_id = $1 limit 1`,
    [uuid],
  );
  return rows[0] === undefined ? null : hexOf(rows[0].key);
}
