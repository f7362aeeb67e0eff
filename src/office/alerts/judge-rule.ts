import { type AlertKind, type AlertRule, appliesTo } from "../../domain/alert-rule.ts";
import { showAge } from "../../domain/duration.ts";
import { showId } from "../../domain/ids.ts";
import { showCount } from "../../domain/show-count.ts";
import type { StandingRule } from "../../ledger/alert-rules.ts";
import type { FoundAlert } from "../../ledger/alerts.ts";
import type { QueueCount } from "../../ledger/search/count-queues.ts";
import type { GroupSummary } from "../../ledger/search/find-groups.ts";
import { isGrowing } from "../is-growing.ts";
import type { AlertFigures } from "./alert-figures.ts";

type Found = Omit<FoundAlert, "rule" | "notifiers">;
type Judge = (rule: JudgedRule, figures: AlertFigures) => readonly Found[];
type JudgedRule = AlertRule & Pick<StandingRule, "madeAt">;

const judges: Readonly<Record<AlertKind, Judge>> = {
  // What was there before anybody asked for it is no news.
  new: (rule, { groups }) =>
    groupsOf(rule, groups)
      .filter(({ firstFailedAt }) => firstFailedAt !== null && Date.parse(firstFailedAt) >= rule.madeAt)
      .map((group) => ofGroup(group, `${lettersOf(group)} of a new kind in ${placeOf(group)}`)),
  growing: (rule, { groups }) =>
    groupsOf(rule, groups)
      .filter(isGrowing)
      .toSorted((one, other) => other.open - one.open)
      .map((group) => ofGroup(group, `${placeOf(group)} is growing: ${lettersOf(group)}`)),
  returned: (rule, { counts }) =>
    queuesOf(rule, counts, ["returned"]).map(({ source, queue, n }) =>
      ofQueue({ source, queue }, `${showCount(n, "letter")} in ${source}/${queue} came back after a replay`),
    ),
  depth: (rule, { counts }) =>
    queuesOf(rule, counts, ["open", "returned"]).map(({ source, queue, n }) =>
      ofQueue({ source, queue }, `${showCount(n, "open letter")} in ${source}/${queue}`),
    ),
  age: (rule, { oldest, now }) =>
    oldest
      .filter(({ source, queue, failedAt }) => appliesTo(rule, source, queue) && isOver(rule, now, failedAt))
      .map(({ source, queue, failedAt }) =>
        ofQueue({ source, queue }, `The oldest open letter in ${source}/${queue} is ${ageOf(now, failedAt)} old`),
      ),
  breaker: (rule, { breakers, now }) =>
    breakers
      .filter(({ source, queue, state, since: opened }) => {
        return state !== "closed" && appliesTo(rule, source, queue) && isOver(rule, now, opened);
      })
      .map(({ source, queue, name, service, state, since: opened }) => ({
        ...{ source, queue, about: `${source}/${queue} ${service} ${name}`, path: "/breakers" },
        sentence: `The breaker ${name} of ${source}/${queue} has been ${state} for ${ageOf(now, opened)}`,
      })),
  approval: (rule, { waiting, now }) =>
    waiting
      .filter(({ frozenAt }) => now - frozenAt > rule.over * 1_000)
      .map(({ id, requestedBy, frozenAt }) => {
        const replay = showId("replay", id);
        const sentence = `A plan by ${requestedBy} has been waiting for approval for ${showAge(now - frozenAt)}`;
        return { source: "", queue: "", about: replay, path: `/replays/${replay}`, sentence };
      }),
};

/** What a rule finds, in words for a phone: nothing of what is in any letter. */
export function judgeRule(rule: JudgedRule, figures: AlertFigures): readonly FoundAlert[] {
  return judges[rule.kind](rule, figures).map((found) => ({
    ...found,
    rule: rule.name,
    notifiers: rule.notifiers,
  }));
}

function groupsOf<Group extends GroupSummary>(rule: AlertRule, groups: readonly Group[]): readonly Group[] {
  return groups.filter(
    ({ source, queue, category, open }) =>
      open > rule.over && rule.categories.includes(category) && appliesTo(rule, source, queue),
  );
}

interface QueueSum {
  readonly source: string;
  readonly queue: string;
  readonly n: number;
}

function queuesOf(rule: AlertRule, counts: readonly QueueCount[], states: readonly string[]): readonly QueueSum[] {
  const sums = new Map<string, QueueSum>();
  for (const { source, queue, category, state, n } of counts) {
    const isAsked = states.includes(state) && rule.categories.some((each) => each === category);
    if (!isAsked || !appliesTo(rule, source, queue)) continue;
    const key = JSON.stringify([source, queue]);
    sums.set(key, { source, queue, n: n + (sums.get(key)?.n ?? 0) });
  }
  return [...sums.values()].filter(({ n }) => n > rule.over);
}

function ofGroup({ id, source, queue, errorClass, category }: GroupSummary, sentence: string): Found {
  const what = errorClass === null ? "" : `: ${errorClass}`;
  const said = `${sentence}${what} (${category.replace("_", " ")})`;
  return { source, queue, about: id, path: `/groups/${id}`, sentence: said };
}

function ofQueue({ source, queue }: Omit<QueueSum, "n">, sentence: string): Found {
  const q = `state:open,returned source:${JSON.stringify(source)} queue:${JSON.stringify(queue)}`;
  return { source, queue, about: `${source}/${queue}`, path: `/letters?q=${encodeURIComponent(q)}`, sentence };
}

function lettersOf({ open }: GroupSummary): string {
  return showCount(open, "open letter");
}

function placeOf({ source, queue }: GroupSummary): string {
  return `${source}/${queue}`;
}

function isOver({ over }: AlertRule, now: number, moment: string): boolean {
  return now - Date.parse(moment) > over * 1_000;
}

function ageOf(now: number, moment: string): string {
  return showAge(now - Date.parse(moment));
}
