import type { AlertRule } from "../domain/alert-rule.ts";
import type { Queries } from "../domain/database.ts";
import type { Ledger } from "./ledger.ts";

/** A rule, who set it last, and since when there is one of its name. */
export interface StandingRule extends AlertRule {
  readonly setBy: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

interface RuleRow extends Pick<AlertRule, "name" | "kind" | "queues" | "categories" | "notifiers"> {
  readonly over: string;
  readonly hold_s: number;
  readonly muted_until: Date | null;
  readonly set_by: string;
  readonly made_at: Date;
}

export async function listAlertRules({ database, at }: Ledger): Promise<readonly StandingRule[]> {
  const { rows } = await database.query<RuleRow>(
    `select name, kind, queues, categories, over, hold_s, notifiers, muted_until, set_by, made_at
     from ${at}.alert_rules order by name`,
    [],
  );
  return rows.map(({ over, hold_s: holdS, muted_until: mutedUntil, set_by: setBy, made_at: madeAt, ...row }) => ({
    ...{ ...row, over: Number(over), holdS, setBy, madeAt: madeAt.getTime() },
    mutedUntil: mutedUntil?.toISOString() ?? null,
  }));
}

/** One of that name is changed, and keeps the moment it was made and whether it is muted. */
export async function putAlertRule(
  { at }: Ledger,
  queries: Queries,
  { name, kind, queues, categories, over, holdS, notifiers, setBy, madeAt }: StandingRule,
): Promise<void> {
  await queries.query(
    `insert into ${at}.alert_rules (name, kind, queues, categories, over, hold_s, notifiers, set_by, made_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9::float8 / 1000))
     on conflict (name) do update set kind = excluded.kind, queues = excluded.queues, categories = excluded.categories,
       over = excluded.over, hold_s = excluded.hold_s, notifiers = excluded.notifiers, set_by = excluded.set_by`,
    [name, kind, [...queues], [...categories], over, holdS, [...notifiers], setBy, madeAt],
  );
}

/** Until then nobody looks; null: from now on somebody does. False where there is none of that name. */
export async function muteAlertRule(
  { at }: Ledger,
  queries: Queries,
  { name, until }: { readonly name: string; readonly until: string | null },
): Promise<boolean> {
  const { count } = await queries.query(`update ${at}.alert_rules set muted_until = $2::timestamptz where name = $1`, [
    name,
    until,
  ]);
  return count > 0;
}

/** False where there is none of that name. */
export async function removeAlertRule({ at }: Ledger, queries: Queries, name: string): Promise<boolean> {
  const { count } = await queries.query(`delete from ${at}.alert_rules where name = $1`, [name]);
  return count > 0;
}
