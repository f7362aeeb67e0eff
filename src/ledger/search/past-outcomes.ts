import { type Category, ruleOfPeople } from "../../domain/classification.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** Which letters are looked at: of each queue the latest that arrived since a moment. */
export interface PastAsked {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Their names alone: letters are in order by those. */
  readonly queues: readonly string[];
  readonly perQueue: number;
}

/** What became of the letters that are of a category by now. */
export interface ClearedCategory {
  readonly category: Category;
  readonly letters: number;
  /** Nobody has decided about them. */
  readonly open: number;
  readonly resolved: number;
  readonly dropped: number;
  readonly compensated: number;
  readonly escalated: number;
  /** From arrival until it was decided, in seconds, of those that were; null where none was. */
  readonly medianS: number | null;
  readonly p90S: number | null;
  /** Whether they are all there are: no queue had more than were looked at. */
  readonly isExact: boolean;
}

/** How often a rule of the classifier was right, as far as people and replays told. */
export interface RuleRecord {
  readonly rule: string;
  readonly letters: number;
  /** A person called them something else. */
  readonly overridden: number;
  /** Their replay went through, or they came back as what they had been taken for. */
  readonly confirmed: number;
  /** They came back as something else. */
  readonly contradicted: number;
}

const rulesAtMost = 100;

/** Counted by what the letters are by now. */
export async function clearedByCategory(ledger: Ledger, asked: PastAsked): Promise<readonly ClearedCategory[]> {
  const parameters = new Parameters();
  const counted = ["resolved", "dropped", "compensated", "escalated"];
  const decided = `l.state in (${counted.map((state) => `'${state}'`).join(", ")})`;
  const { rows } = await ledger.database.query<ClearedCategory>(
    `with ${lettersLooked(ledger, parameters, asked)}, full_queues as (
       select from taken l group by l.queue having count(*) >= ${parameters.add(asked.perQueue)}::integer
     )
     select g.category, g.letters, g.open, ${counted.map((state) => `g.${state}`).join(", ")},
       g.waits[1] as "medianS", g.waits[2] as "p90S", not exists (select from full_queues) as "isExact"
     from (
       select l.category, count(*)::integer as letters, count(*) filter (where ${ledger.at}.is_open(l.state))::integer as open,
         ${counted.map((state) => `count(*) filter (where l.state = '${state}')::integer as ${state}`).join(", ")},
         percentile_cont(array[0.5, 0.9]) within group (
           order by greatest(0, extract(epoch from l.changed_at - l.arrived_at)::float8)
         ) filter (where ${decided}) as waits
       from looked l group by l.category
     ) g order by g.letters desc, g.category`,
    parameters.values,
  );
  return rows;
}

/** Their histories are read one by one. */
const historiesAtMost = 500;

/**
 * By the rule that judged a letter on arrival. Only where a person named it, or where it came back, is another rule there by now: of
 * those the latest are looked up. Of the others the rule they have is the one that judged them, or that the policy named since.
 */
export async function ruleRecords(ledger: Ledger, asked: PastAsked): Promise<readonly RuleRecord[]> {
  const { at, database } = ledger;
  const parameters = new Parameters();
  const isRenamed = `(l.rule = '${ruleOfPeople}' or (l.replays > 0 and l.state = 'returned'))`;
  const { rows } = await database.query<RuleRecord>(
    `with ${lettersLooked(ledger, parameters, asked)}, renamed as materialized (
       select l.* from looked l where ${isRenamed} order by l.id desc limit ${historiesAtMost}
     ), judged as (
       select l.rule, false as overridden, l.replays > 0 and l.state = 'resolved' as confirmed, false as contradicted
       from looked l where not ${isRenamed}
       union all
       select h.rule, h.overridden, not h.overridden and (l.state = 'resolved' and l.replays > 0
           or l.state = 'returned' and h.latest = l.was),
         not h.overridden and l.state = 'returned' and h.latest <> l.was
       from renamed l cross join lateral (
         select (array_agg(c.rule order by c.n))[1] as rule,
           coalesce(bool_or(c.by is not null and c.category <> l.was), false) as overridden,
           (array_agg(c.category order by c.n desc) filter (where c.by is null))[1] as latest
         from ${at}.classifications c where c.letter_id = l.id
       ) h
     )
     select j.rule, count(*)::integer as letters, count(*) filter (where j.overridden)::integer as overridden,
       count(*) filter (where j.confirmed)::integer as confirmed,
       count(*) filter (where j.contradicted)::integer as contradicted
     from judged j where j.rule is not null group by j.rule order by letters desc, j.rule limit ${rulesAtMost}`,
    parameters.values,
  );
  return rows;
}

/** What queues are called, whatever source they are of. */
export async function namesOfQueues(ledger: Ledger): Promise<readonly string[]> {
  const parameters = new Parameters();
  const { rows } = await ledger.database.query<{ queue: string }>(
    `select distinct q.queue from ${ledger.at}.queues q where ${withinScope(ledger, parameters, "q")} order by 1`,
    parameters.values,
  );
  return rows.map(({ queue }) => queue);
}

/** An index has each queue's letters in order, so that no more are read than are looked at, however many there are. */
function lettersLooked(ledger: Ledger, parameters: Parameters, { since, perQueue, queues }: PastAsked): string {
  const { at } = ledger;
  const [names, moment, most] = [[...queues], since, perQueue].map((value) => parameters.add(value));
  return `taken as materialized (
    select l.* from unnest(${names}::text[]) as q (queue) cross join lateral (
      select l.id, l.source, l.queue, l.state, l.category, l.was, l.rule, l.replays, l.arrived_at, l.changed_at
      from ${at}.letters l
      where l.queue = q.queue and l.id >= ${at}.first_id_at(to_timestamp(${moment}::float8 / 1000))
      order by l.id desc limit ${most}
    ) l
  ), looked as materialized (
    select l.* from taken l where ${withinScope(ledger, parameters, "l")}
  )`;
}
