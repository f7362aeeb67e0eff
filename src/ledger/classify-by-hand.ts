import { type Category, ruleOfPeople, type SideEffect } from "../domain/classification.ts";
import type { Queries } from "../domain/database.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { LetterState } from "../domain/letter.ts";
import type { Ledger } from "./ledger.ts";

/** What a person says that letters are. */
export interface HandClassification {
  readonly letters: readonly Uint8Array[];
  /** Letters in other states are left alone. */
  readonly states: readonly LetterState[];
  readonly category: Category;
  /** Null: as it was judged, letter by letter. */
  readonly sideEffect: SideEffect | null;
  readonly why: string;
  readonly by: string;
  /** Letters that somebody has called the same already are left alone. @default false */
  readonly leavesSaid?: boolean;
}

/** Which letters were classified, and the groups they are in. */
export interface ClassifiedLetters {
  readonly letters: readonly Uint8Array[];
  readonly groups: readonly Uint8Array[];
}

/** Appends what a person said to each of these letters, and makes it the letter's own; all it was called before stays. */
export async function classifyByHand(
  { at }: Ledger,
  queries: Queries,
  { letters, states, category, sideEffect, why, by, leavesSaid = false }: HandClassification,
): Promise<ClassifiedLetters> {
  // Locked first and numbered then: in one statement, whoever waited would number by what was there before the wait. Whether it is
  // said already is asked of the locked row too, so that of two who say the same at once the second adds nothing.
  const { rows: locked } = await queries.query<{ id: string; group_id: string }>(
    `select l.id, l.group_id from ${at}.letters l
     where l.id = any ($1::uuid[]) and l.state = any ($2::text[])
       and not ($3 and l.rule = $4 and l.category = $5 and l.side_effect = coalesce($6, l.side_effect))
     order by l.id for no key update`,
    [letters.map(uuidOf), states, leavesSaid, ruleOfPeople, category, sideEffect],
  );
  const ids = locked.map(({ id }) => id);
  await queries.query(
    `with standing as (
       select l.id, l.category, l.group_id, l.source, l.queue, l.state, coalesce($3, l.side_effect) as side_effect
       from ${at}.letters l where l.id = any ($1::uuid[])
     ), changed as (
       update ${at}.letters l
       set category = $2, confidence = 1, rule = $4, side_effect = k.side_effect, changed_at = ${at}.clock()
       from standing k where l.id = any ($1::uuid[]) and l.id = k.id
     ), appended as (
       insert into ${at}.classifications
         (letter_id, n, at, category, confidence, rule, why, side_effect, runner_up, fingerprint, policy_version, by, words)
       -- The fingerprint is of the failure that it stands for, which a return may have changed. The words of the error stand
       -- with that one already: a search finds it there.
       select k.id, c.n + 1, ${at}.clock(), $2, 1, $4, $5, k.side_effect, null, c.fingerprint, null, $6, ''::tsvector
       from standing k cross join lateral (
         select c.n, c.fingerprint from ${at}.classifications c where c.letter_id = k.id order by c.n desc limit 1
       ) c
     )
     insert into ${at}.counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
     select k.group_id, k.source, k.queue, m.category, k.state, sum(m.n), 0,
       date_trunc('hour', ${at}.clock() at time zone 'UTC') at time zone 'UTC', ${at}.clock()
     from standing k cross join lateral (values (k.category, -1), ($2, 1)) as m (category, n)
     where k.category <> $2 group by k.group_id, k.source, k.queue, m.category, k.state`,
    [ids, category, sideEffect, ruleOfPeople, why, by],
  );
  const groups = new Set(locked.map(({ group_id: group }) => group));
  return { letters: ids.map(idOfUuid), groups: [...groups].map(idOfUuid) };
}
