import { alertKindFacts } from "../../domain/alert-rule.ts";
import { makeId, showId } from "../../domain/ids.ts";
import { listAlertRules, type StandingRule } from "../../ledger/alert-rules.ts";
import {
  type Alert,
  clearAlert,
  type FoundAlert,
  fireAlert,
  forgetAlert,
  forgetOldAlerts,
  listOpenAlerts,
  noteAlert,
} from "../../ledger/alerts.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { officeItself } from "../intake/own-drain.ts";
import { readRuleGroups, readSharedFigures } from "./alert-figures.ts";
import { judgeRule } from "./judge-rule.ts";

export interface AlertParts {
  readonly ledger: Ledger;
  /** A new random id, as text. */
  readonly newId: () => string;
}

const keptMs = 90 * 86_400_000;

/** Looks once: says what holds for long enough, and what holds no longer. Several processes may look at once. */
export async function lookForAlerts({ ledger, newId }: AlertParts, now: number): Promise<void> {
  const rules = (await listAlertRules(ledger)).filter((rule) => !isMuted(rule, now));
  const found = await judgeAll(ledger, rules, now);
  for (const each of found) await noteAlert(ledger, ledger.database, { id: makeId(now, newId()), found: each, now });
  const on = new Set(found.map(keyOf));
  for (const alert of await listOpenAlerts(ledger)) {
    const rule = rules.find(({ name }) => name === alert.rule);
    await follow(ledger, { alert, isOn: on.has(keyOf(alert)), ...patienceOf(rule), now });
  }
  await forgetOldAlerts(ledger, now - keptMs);
}

function keyOf({ rule, about }: FoundAlert): string {
  return JSON.stringify([rule, about]);
}

function isMuted({ mutedUntil }: Pick<StandingRule, "mutedUntil">, now: number): boolean {
  return mutedUntil !== null && Date.parse(mutedUntil) > now;
}

async function judgeAll(ledger: Ledger, rules: readonly StandingRule[], now: number): Promise<readonly FoundAlert[]> {
  const kinds = new Set(rules.map(({ kind }) => kind));
  const shared = await readSharedFigures(ledger, { kinds, now });
  const open = await listOpenAlerts(ledger);
  const all: FoundAlert[] = [];
  for (const rule of rules) {
    const found = open.filter((alert) => alert.rule === rule.name && isGroup(alert)).map(({ about }) => about);
    all.push(...judgeRule(rule, { ...shared, groups: await readRuleGroups(ledger, rule, { now, found }) }));
  }
  return all;
}

/** What a rule that was removed, or is muted, found is over at once. */
function patienceOf(rule: StandingRule | undefined): Pick<Followed, "holdMs" | "overMs"> {
  if (rule === undefined) return { holdMs: 0, overMs: 0 };
  const { holdS, kind } = rule;
  return { holdMs: holdS * 1_000, overMs: Math.max(holdS, alertKindFacts[kind].overS) * 1_000 };
}

/** A rule may have been one of another kind, about queues. */
function isGroup({ about, path }: Alert): boolean {
  return path === `/groups/${about}`;
}

interface Followed {
  readonly alert: Alert;
  readonly isOn: boolean;
  /** How long it must hold before it is said. */
  readonly holdMs: number;
  /** How long it must be over before that is said. */
  readonly overMs: number;
  readonly now: number;
}

/** What wavers around a limit is said once: a condition must hold, and be over, for as long as its rule says. */
async function follow(ledger: Ledger, { alert, isOn, holdMs, overMs, now }: Followed): Promise<void> {
  const isSaid = alert.firedAt !== null;
  if (isOn && !isSaid && now - alert.begunAt >= holdMs) return say(ledger, { alert, now, what: "fired" });
  if (!isOn && !isSaid) return forgetAlert(ledger, alert.id);
  if (!isOn && now - alert.seenAt >= overMs) return say(ledger, { alert, now, what: "cleared" });
}

const moves = { fired: fireAlert, cleared: clearAlert };

interface Said extends Pick<Followed, "alert" | "now"> {
  readonly what: keyof typeof moves;
}

/** In the audit log, which is where notifiers read. */
async function say(ledger: Ledger, { alert, now, what }: Said): Promise<void> {
  await ledger.database.transaction(async (transaction) => {
    if (!(await moves[what](ledger, transaction, { id: alert.id, now }))) return;
    const entry = { at: now, actor: officeItself, action: `alert.${what}`, details: alertDetails(alert) };
    await recordAction(ledger, transaction, entry);
  });
}

/** What the audit log says of an alert each time. */
export function alertDetails({ id, rule, about, path, sentence, notifiers }: Alert): Readonly<Record<string, unknown>> {
  return { alert: showId("alert", id), rule, about, path, sentence, notifiers: [...notifiers] };
}
