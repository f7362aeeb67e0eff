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

/** Of one rule in one look. */
const toldAtOnce = 5;
const keptMs = 90 * 86_400_000;

/** Looks once: says what holds for long enough, and what holds no longer. Several processes may look at once. */
export async function lookForAlerts({ ledger, newId }: AlertParts, now: number): Promise<void> {
  const rules = (await listAlertRules(ledger)).filter((rule) => !isMuted(rule, now));
  const found = await judgeAll(ledger, rules, now);
  for (const each of found) await noteAlert(ledger, ledger.database, { id: makeId(now, newId()), found: each, now });
  const on = new Set(found.map(keyOf));
  const fired: Alert[] = [];
  for (const alert of await listOpenAlerts(ledger)) {
    const rule = rules.find(({ name }) => name === alert.rule);
    const step = stepOf({ alert, isOn: on.has(keyOf(alert)), ...patienceOf(rule), now });
    const isTold = fired.filter((each) => each.rule === alert.rule).length < toldAtOnce;
    if (step === "forget") await forgetAlert(ledger, alert.id);
    if (step === "clear") await say(ledger, { alert, now, what: "cleared" });
    if (step === "fire" && (await say(ledger, { alert: { ...alert, isTold }, now, what: "fired" }))) fired.push(alert);
  }
  await tellOfTheRest(ledger, fired, now);
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
function stepOf({ alert, isOn, holdMs, overMs, now }: Followed): "fire" | "forget" | "clear" | null {
  const isSaid = alert.firedAt !== null;
  if (isOn) return !isSaid && now - alert.begunAt >= holdMs ? "fire" : null;
  if (!isSaid) return "forget";
  return now - alert.seenAt >= overMs ? "clear" : null;
}

const moves = { fired: fireAlert, cleared: clearAlert };

interface Said extends Pick<Followed, "alert" | "now"> {
  readonly what: keyof typeof moves;
}

/** In the audit log, which is where notifiers read. False: another process was first. */
async function say(ledger: Ledger, { alert, now, what }: Said): Promise<boolean> {
  return ledger.database.transaction(async (transaction) => {
    const { id, isTold } = alert;
    if (!(await moves[what](ledger, transaction, { id, isTold, now }))) return false;
    const action = isTold ? `alert.${what}` : `alert.${what}_quietly`;
    await recordAction(ledger, transaction, { at: now, actor: officeItself, action, details: alertDetails(alert) });
    return true;
  });
}

/** A backlog of a broker that was just connected is one message more, and not one page for each of its failures. */
async function tellOfTheRest(ledger: Ledger, fired: readonly Alert[], now: number): Promise<void> {
  for (const name of new Set(fired.map(({ rule }) => rule))) {
    const ofRule = fired.filter(({ rule }) => rule === name);
    const more = ofRule.length - toldAtOnce;
    const last = ofRule[toldAtOnce - 1];
    if (last === undefined || more <= 0) continue;
    // Of the last one that was told of, so that it is over with it.
    const sentence = `And ${more.toLocaleString("en")} more that the rule ${name} found at once`;
    const details = { ...alertDetails(last), path: "/alerts", sentence };
    await recordAction(ledger, ledger.database, { at: now, actor: officeItself, action: "alert.more", details });
  }
}

/** What the audit log says of an alert each time. */
export function alertDetails({ id, rule, about, path, sentence, notifiers }: Alert): Readonly<Record<string, unknown>> {
  return { alert: showId("alert", id), rule, about, path, sentence, notifiers: [...notifiers] };
}
