import type { Category } from "../../domain/classification.ts";
import { showAge } from "../../domain/duration.ts";

/** A group as people are told of it. */
export interface ReportedGroup {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly queue: string;
  readonly category: Category;
  readonly open: number;
  readonly total: number;
  readonly firstFailedAt: string | null;
  readonly lastFailedAt: string | null;
  readonly nextStep: { readonly label: string };
}

/**
 * A group in words, for a chat or a ticket: facts and the next step, nothing of what a letter holds. Page, command and report say
 * it alike, since it is said here.
 */
export function groupInWords(group: ReportedGroup): readonly string[] {
  const { id, title, source, queue, category, open, total, firstFailedAt, lastFailedAt, nextStep } = group;
  return [
    oneLine(title),
    `${count(open)} open of ${count(total)} in ${source}/${queue}, ${category.replace("_", " ")}`,
    `first ${minute(firstFailedAt)}, last ${minute(lastFailedAt)}`,
    `next: ${nextStep.label}`,
    id,
  ];
}

/** A replay as people are told of it. */
export interface ReportedReplay {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly verdict: string | null;
  readonly requestedBy: string;
  readonly toSend: number;
  readonly sent: number;
  readonly confirmed: number;
  readonly presumed: number;
  readonly returned: number;
}

export interface ReportFacts {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
  readonly open: number;
  readonly openGroups: number;
  readonly oldestOpenAt: string | null;
  readonly failed: number;
  readonly groups: readonly (ReportedGroup & { readonly failed: number })[];
  readonly replays: readonly ReportedReplay[];
  readonly breakers: readonly { readonly name: string; readonly place: string; readonly since: string }[];
  readonly stopped: { readonly by: string; readonly at: string; readonly reason: string | null } | null;
  readonly deeds: readonly { readonly action: string; readonly by: string; readonly n: number }[];
}

/** A shift in words, the most urgent first. */
export function reportInWords(report: ReportFacts): string {
  const { since, until, groups, replays, breakers, stopped, deeds, openGroups } = report;
  const more = openGroups - groups.filter(({ open }) => open > 0).length;
  return [
    `Dead letters since ${minute(iso(since))}, as of ${minute(iso(until))}`,
    openLine(report),
    ...(stopped === null ? [] : [`All sending has been stopped since ${minute(stopped.at)}, by ${stopped.by}`]),
    ...breakers.map(
      ({ name, place, since: opened }) => `Breaker ${name} of ${place} has been open since ${minute(opened)}`,
    ),
    ...section("Groups", groups.map(groupLine)),
    ...(more > 0 ? [`and ${count(more)} more groups with open letters`] : []),
    ...section("Replays", replays.map(replayLine)),
    ...section(
      "Decided",
      deeds.map(({ action, by, n }) => `${action} ${n === 1 ? "" : `${count(n)} times `}by ${by}`),
    ),
  ].join("\n");
}

function openLine({ open, openGroups, oldestOpenAt, failed, until }: ReportFacts): string {
  const oldest = oldestOpenAt === null ? "" : `, the oldest ${showAge(Math.max(0, until - Date.parse(oldestOpenAt)))}`;
  const groups = `${count(openGroups)} ${openGroups === 1 ? "group" : "groups"}`;
  return `${count(failed)} failed; ${count(open)} open in ${groups}${oldest}`;
}

function groupLine(group: ReportFacts["groups"][number]): string {
  const [title, facts, , next, id] = groupInWords(group);
  return `${title}: ${facts}, ${count(group.failed)} failed; ${next} (${id})`;
}

function replayLine({ id, name, state, verdict, requestedBy, toSend, sent, ...outcomes }: ReportedReplay): string {
  const { confirmed, presumed, returned } = outcomes;
  const stands = verdict === null ? state.replace("_", " ") : `${state} ${verdict}`;
  const became = `${count(confirmed)} confirmed, ${count(presumed)} presumed, ${count(returned)} returned`;
  return `${oneLine(name)}: ${stands}, ${count(sent)} of ${count(toSend)} sent, ${became}; by ${requestedBy} (${id})`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `- ${line}`)];
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}

/** Titles come from error messages, which may have any shape. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** `2026-11-15 14:04 UTC`. */
function minute(at: string | null): string {
  return at === null ? "unknown" : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
