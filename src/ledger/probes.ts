import type { ProbeAnswer, ProbeReport } from "../domain/report.ts";
import type { Ledger } from "./ledger.ts";

export interface ProbeQuestion {
  /** Nobody can guess it. */
  readonly question: string;
  readonly source: string;
  /** Whose consumers are asked. */
  readonly queue: string;
}

/** Noted before they are asked. Those of an hour ago are forgotten: nobody waits for them. */
export async function noteQuestions({ database, at }: Ledger, questions: readonly ProbeQuestion[]): Promise<void> {
  await database.query(`delete from ${at}.probes where asked_at < ${at}.clock() - interval '1 hour'`, []);
  await database.query(
    `insert into ${at}.probes (question, source, queue, asked_at)
     select q.question, q.source, q.queue, ${at}.clock()
     from unnest($1::text[], $2::text[], $3::text[]) as q (question, source, queue)`,
    [
      questions.map(({ question }) => question),
      questions.map(({ source }) => source),
      questions.map(({ queue }) => queue),
    ],
  );
}

/** The first answer counts, and only from where it was asked. */
export async function noteAnswer({ database, at }: Ledger, source: string, report: ProbeReport): Promise<void> {
  await database.query(
    `update ${at}.probes set effect = $4 where question = $1 and source = $2 and queue = $3 and effect is null`,
    [report.question, source, report.queue, report.effect],
  );
}

/** Those that were answered by now. */
export async function readAnswers(
  { database, at }: Ledger,
  questions: readonly string[],
): Promise<ReadonlyMap<string, ProbeAnswer>> {
  const { rows } = await database.query<{ question: string; effect: ProbeAnswer }>(
    `select question, effect from ${at}.probes where question = any ($1::text[]) and effect is not null`,
    [questions],
  );
  return new Map(rows.map(({ question, effect }) => [question, effect]));
}
