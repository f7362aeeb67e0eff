import type { Category } from "../../domain/classification.ts";
import type { Ledger } from "../ledger.ts";

/** What decided what some letters of a group are. */
export interface GroupReason {
  readonly category: Category;
  readonly rule: string;
  /** How many of the letters that were looked at. */
  readonly n: number;
  /** Of the newest of them: how sure it is, 0 to 1, and why. */
  readonly confidence: number;
  readonly why: string;
}

export interface GroupReasons {
  /** Letters that were looked at, the latest. */
  readonly looked: number;
  /** What decided of most of them first. */
  readonly reasons: readonly GroupReason[];
}

/** Pages ask whenever something changes: what letters lately are is told by these. */
const lettersLooked = 100;
const reasonsAtMost = 5;

/** Why the latest letters of a group are what they are, those merged into it among them; `groups` are UUIDs. */
export async function reasonsOf({ database, at }: Ledger, groups: readonly string[]): Promise<GroupReasons> {
  const { rows } = await database.query<GroupReason & { readonly looked: number }>(
    `select k.category, k.rule, k.n, k.looked, c.confidence, c.why from (
       select l.category, l.rule, count(*)::integer as n, (sum(count(*)) over ())::integer as looked,
         (array_agg(l.id order by l.id desc))[1] as newest
       from (
         select l.* from unnest($1::uuid[]) as g (id) cross join lateral (
           select l.id, l.category, l.rule from ${at}.letters l where l.group_id = g.id order by l.id desc limit $2
         ) l order by l.id desc limit $2
       ) l group by l.category, l.rule order by n desc, newest desc limit $3
     ) k cross join lateral (
       select c.confidence, c.why from ${at}.classifications c where c.letter_id = k.newest order by c.n desc limit 1
     ) c order by k.n desc, k.newest desc`,
    [groups, lettersLooked, reasonsAtMost],
  );
  const reasons = rows.map(({ looked: _, ...reason }) => reason);
  return { looked: rows[0]?.looked ?? 0, reasons };
}
