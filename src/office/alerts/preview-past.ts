import { type AlertRule, alertKindFacts } from "../../domain/alert-rule.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { judgeRule } from "./judge-rule.ts";
import { hourMs, type Past, readPast } from "./past-figures.ts";

/** Once that a rule would have been said. */
export interface PastAlert {
  /** Milliseconds since 1970: the hour by which it was. */
  readonly at: number;
  /** When it was over; null while it goes on. */
  readonly until: number | null;
  readonly sentence: string;
  readonly path: string;
}

const days = 14;
const toldAtMost = 20;

/** What a rule would have said over the last fourteen days, newest first, looked at by the hour. */
export async function previewPast(ledger: Ledger, rule: AlertRule, now: number) {
  const until = Math.floor(now / hourMs) * hourMs;
  const since = until - days * 24 * hourMs;
  const past = await readPast[rule.kind](ledger, { rule, since, now });
  const found = alertsOver(rule, past, { since, until });
  const times = found.length;
  const said =
    times === 0
      ? "It would not have been said"
      : `It would have been said ${times === 1 ? "once" : `${times.toLocaleString("en")} times`}`;
  return {
    sentence: rule.kind === "breaker" ? (past.limits[0] ?? "") : `${said} in the last ${days} days.`,
    since: iso(since),
    times,
    items: found
      .slice(-toldAtMost)
      .reverse()
      .map(({ at, until: over, ...alert }) => ({ ...alert, at: iso(at), until: over === null ? null : iso(over) })),
    limits: rule.kind === "breaker" ? [] : [...past.limits],
  };
}

interface Span {
  readonly since: number;
  readonly until: number;
}

interface Held {
  readonly since: number;
  readonly lastSeen: number;
  readonly told: PastAlert | null;
}

/** As the office looks, only by the hour: what holds long enough is said once, and again after it was over long enough. */
export function alertsOver(rule: AlertRule, { at }: Past, { since, until }: Span): readonly PastAlert[] {
  const overMs = Math.max(rule.holdS, alertKindFacts[rule.kind].overS) * 1_000;
  const held = new Map<string, Held>();
  const told: PastAlert[] = [];
  const end = (about: string, { lastSeen, told: alert }: Held) => {
    held.delete(about);
    if (alert !== null) told.push({ ...alert, until: lastSeen + hourMs });
  };
  for (let moment = since; moment <= until; moment += hourMs) {
    for (const { about, sentence, path } of judgeRule({ ...rule, madeAt: 0 }, at(moment))) {
      const before = held.get(about) ?? { since: moment, lastSeen: moment, told: null };
      const isLong = moment - before.since >= rule.holdS * 1_000;
      const alert = before.told ?? (isLong ? { at: moment, until: null, sentence, path } : null);
      held.set(about, { ...before, lastSeen: moment, told: alert });
    }
    for (const [about, each] of held) if (moment - each.lastSeen > overMs) end(about, each);
  }
  const standing = [...held.values()].flatMap(({ told: alert }) => (alert === null ? [] : [alert]));
  return [...told, ...standing].sort((one, other) => one.at - other.at);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
