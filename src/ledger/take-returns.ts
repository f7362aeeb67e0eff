import type { Category } from "../domain/classification.ts";
import type { Queries, Transaction } from "../domain/database.ts";
import { hexOf, idOfUuid, uuidOf } from "../domain/ids.ts";
import type { LetterState } from "../domain/letter.ts";
import { showSend } from "../domain/send-mark.ts";
import type { CounterChange } from "./counter-deltas.ts";
import type { Ledger } from "./ledger.ts";
import { classificationColumns, classificationRows } from "./letter-rows.ts";
import { noteGroups } from "./note-groups.ts";
import { noteStacks } from "./note-stacks.ts";
import type { PlacedLetter } from "./place-letters.ts";
import { attemptColumns, attemptRows, type History, type Return, renumbered, type Standing } from "./return-rows.ts";

export interface TakenReturns {
  readonly changes: readonly CounterChange[];
  /** To be called once all is committed. */
  readonly remember: readonly (() => void)[];
}

/**
 * Appends to the history of letters what came back of them, and lets them stand as they failed last. What they were on
 * arrival stays: the first classification, the fingerprint, the bytes.
 */
export async function takeReturns(
  ledger: Ledger,
  transaction: Transaction,
  returns: readonly Return[],
): Promise<TakenReturns> {
  if (returns.length === 0) return { changes: [], remember: [] };
  // Items before letters, as whoever sends and settles takes them: the other way round they would wait for each other.
  const uncounted = await returnItems(ledger, transaction, returns);
  const standings = await lockLetters(ledger, transaction, returns);
  const histories = returns.flatMap((each): History[] => {
    const standing = standings.get(hexOf(each.mark.letter));
    return standing === undefined ? [] : [{ ...each, standing, isUncounted: uncounted.has(showSend(each.mark)) }];
  });
  const letters = histories.map(({ placed }) => placed);
  const remember = [await noteStacks(ledger, transaction, letters), await noteGroups(ledger, transaction, letters)];
  await transaction.copyIn(
    { target: `${ledger.at}.${attemptColumns}`, rows: attemptRows(histories) },
    { target: `${ledger.at}.${classificationColumns}`, rows: classificationRows(renumbered(histories)) },
  );
  const changes = await changeLetters(ledger, transaction, histories);
  await noteReturns(ledger, transaction, letters);
  return { changes, remember };
}

/** Last, and in one order: others who note returns to the same groups wait for each other here, and nowhere else. */
async function noteReturns({ at }: Ledger, transaction: Queries, letters: readonly PlacedLetter[]): Promise<void> {
  await transaction.query(
    `insert into ${at}.group_returns as g (group_id, last_at)
     select r.group_id, max(r.at) from unnest($1::uuid[], $2::timestamptz[]) as r (group_id, at) group by 1 order by 1
     on conflict (group_id) do update set last_at = greatest(g.last_at, excluded.last_at)`,
    [
      letters.map(({ groupId }) => uuidOf(groupId)),
      letters.map(({ letter }) => new Date(letter.times.arrivedAt).toISOString()),
    ],
  );
}

async function returnItems({ at }: Ledger, transaction: Queries, returns: readonly Return[]): Promise<Set<string>> {
  const { rows } = await transaction.query<{ replay_id: string; n: number }>(
    `select replay_id, n from ${at}.return_items($1::uuid[], $2::integer[])`,
    [returns.map(({ mark }) => uuidOf(mark.replay)), returns.map(({ mark }) => mark.n)],
  );
  return new Set(rows.map(({ replay_id: replay, n }) => showSend({ replay: idOfUuid(replay), n })));
}

/** Locked first and looked at then: a look in the same statement would see what was there before the wait. */
async function lockLetters(
  { at }: Ledger,
  transaction: Queries,
  returns: readonly Return[],
): Promise<ReadonlyMap<string, Standing>> {
  const ids = [...new Set(returns.map(({ mark }) => uuidOf(mark.letter)))].sort();
  await transaction.query(`select from ${at}.letters where id = any ($1::uuid[]) order by id for no key update`, [ids]);
  const { rows } = await transaction.query<{
    id: string;
    state: LetterState;
    category: Category;
    group_id: string;
    failed_at: number;
    attempts: number;
    classifications: number;
    under_way: readonly { replay: string; n: number }[];
    is_compensating: boolean;
  }>(
    `select l.id, l.state, l.category, l.group_id, (extract(epoch from l.failed_at) * 1000)::float8 as failed_at,
       (select coalesce(max(a.n), 0) from ${at}.attempts a where a.letter_id = l.id) as attempts,
       (select coalesce(max(c.n), 0)::integer from ${at}.classifications c where c.letter_id = l.id) as classifications,
       (select coalesce(json_agg(json_build_object('replay', i.replay_id, 'n', i.n)), '[]') from ${at}.replay_items i
        where i.letter_id = l.id and i.progress in ('sending', 'waiting', 'in_doubt')) as under_way,
       exists (select from ${at}.compensations c where c.letter_id = l.id and c.state = 'sending') as is_compensating
     from ${at}.letters l where l.id = any ($1::uuid[])`,
    [ids],
  );
  return new Map(
    rows.map(
      ({ id: uuid, group_id, failed_at: failedAt, under_way: sends, is_compensating: isCompensating, ...row }) => {
        const [id, groupId] = [idOfUuid(uuid), idOfUuid(group_id)];
        const underWay = sends.map(({ replay, n }) => showSend({ replay: idOfUuid(replay), n }));
        return [hexOf(id), { ...row, id, groupId, failedAt, underWay, isCompensating }];
      },
    ),
  );
}

/** Where a letter stands once it is back. A newer send or a compensation of it that is under way decides; all else is open again. */
function nextState({ standing, mark }: History): LetterState {
  const isElsewhere = standing.isCompensating || standing.underWay.some((send) => send !== showSend(mark));
  return isElsewhere ? standing.state : "returned";
}

/** One letter may come back twice in a batch. */
function lastOfEach(histories: readonly History[]): readonly History[] {
  return [...new Map(histories.map((history) => [history.standing, history])).values()];
}

async function changeLetters(
  { at }: Ledger,
  transaction: Queries,
  histories: readonly History[],
): Promise<readonly CounterChange[]> {
  const last = lastOfEach(histories).map((newest) => ({
    ...{ newest, letter: newest.placed.letter, state: nextState(newest) },
    all: histories.filter(({ standing }) => standing === newest.standing),
  }));
  const columns = [
    last.map(({ newest }) => uuidOf(newest.standing.id)),
    last.map(({ state }) => state),
    last.map(({ letter }) => letter.classification.category),
    last.map(({ letter }) => letter.classification.confidence),
    last.map(({ letter }) => letter.classification.rule),
    last.map(({ letter }) => letter.classification.sideEffect),
    last.map(({ newest }) => uuidOf(newest.placed.groupId)),
    last.map(({ newest }) => newest.placed.groupingVersion),
    last.map(({ letter }) => letter.error.class),
    last.map(({ letter }) => letter.error.message),
    last.map(({ letter }) => letter.error.code),
    last.map(({ all }) => all.reduce((sum, { placed }) => sum + (placed.letter.attempts ?? 1), 0)),
    last.map(({ all }) => all.filter(({ isUncounted }) => isUncounted).length),
    last.map(({ letter }) => new Date(letter.times.failedAt).toISOString()),
    last.map(({ letter }) => letter.times.failedAtBy),
    last.map(({ letter }) => letter.origin.partition),
    last.map(({ letter }) => letter.origin.offset?.toString() ?? null),
    last.map(({ letter }) => letter.origin.host),
    last.map(({ letter }) => letter.names.consumer),
  ];
  await transaction.query(
    `update ${at}.letters l set state = r.state, category = r.category, confidence = r.confidence, rule = r.rule,
       side_effect = r.side_effect, group_id = r.group_id, grouping_version = r.grouping_version, error_class = r.error_class,
       error_message = r.error_message, error_code = r.error_code, attempts = coalesce(l.attempts, 0) + r.attempts,
       replays = l.replays + r.replays, failed_at = r.failed_at, failed_at_by = r.failed_at_by, changed_at = ${at}.clock(),
       at_partition = r.at_partition, at_offset = r.at_offset, host = r.host, consumer = coalesce(r.consumer, l.consumer)
     from unnest($1::uuid[], $2::text[], $3::text[], $4::real[], $5::text[], $6::text[], $7::uuid[], $8::integer[], $9::text[],
       $10::text[], $11::text[], $12::integer[], $13::integer[], $14::timestamptz[], $15::text[], $16::integer[], $17::bigint[],
       $18::text[], $19::text[])
       as r (id, state, category, confidence, rule, side_effect, group_id, grouping_version, error_class, error_message,
         error_code, attempts, replays, failed_at, failed_at_by, at_partition, at_offset, host, consumer)
     where l.id = any ($1::uuid[]) and l.id = r.id`,
    columns,
  );
  return last.flatMap(({ newest, state }) => movedTo(newest, state));
}

/** Out of where and when it was, into where and when it is: to another group it comes as any other letter does. */
function movedTo({ standing, placed: { letter, groupId } }: History, state: LetterState): readonly CounterChange[] {
  const { source, queue, times, classification } = letter;
  const at = times.arrivedAt;
  const arrived = hexOf(standing.groupId) === hexOf(groupId) ? 0 : 1;
  const { category, failedAt } = standing;
  const before = { groupId: standing.groupId, source, queue, category, state: standing.state, failedAt };
  const now = { groupId, source, queue, category: classification.category, state, failedAt: times.failedAt };
  return [
    { ...before, n: -1, arrived: 0, at },
    { ...now, n: 1, arrived, at },
  ];
}
