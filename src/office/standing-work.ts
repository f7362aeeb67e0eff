import type { Duty } from "../domain/duty.ts";
import { maskText } from "../domain/redaction.ts";
import type { Chore, ChoreStatus } from "./chore.ts";
import type { StandingDrains } from "./intake/standing-drains.ts";
import type { StandingNotices } from "./notify/standing-notices.ts";
import type { Presence } from "./presence.ts";
import type { StandingReplays } from "./replay/standing-replays.ts";
import type { StandingReports } from "./replay/standing-reports.ts";
import type { StandingRoster } from "./standing-roster.ts";
import type { WorkStatus } from "./work-status.ts";

/** Null is what this process leaves to others. */
export interface StandingWork {
  readonly presence: Presence;
  readonly drains: StandingDrains | null;
  readonly regrouping: Chore | null;
  readonly sizes: Chore | null;
  readonly roster: StandingRoster;
  readonly reports: StandingReports | null;
  readonly replays: StandingReplays | null;
  readonly notices: StandingNotices | null;
  readonly alerts: Chore | null;
  readonly keys: Chore | null;
  readonly retention: Chore | null;
  /** Tells of tokens that will be suspended. */
  readonly suspensions: Chore | null;
  /** Who may come in, and whether those who did still may. */
  readonly signIn: readonly Chore[];
}

/** What a process does by itself, from when it is told to until it ends. */
export function workOf(start: (duties: readonly Duty[]) => Promise<StandingWork>) {
  let starting: Promise<StandingWork> | null = null;
  let work: StandingWork | null = null;
  return {
    status: () => statusOf(work),
    /** Once, however often it is told to. */
    async begin(duties: readonly Duty[]): Promise<void> {
      starting ??= start(duties);
      work = await starting;
    },
    /** What whoever is at work does anyway. */
    unlessBegun: async (act: () => Promise<void>) => (work === null ? act() : undefined),
    async end(): Promise<void> {
      const begun = await starting?.catch(() => null);
      if (begun) await endWork(begun);
    },
  };
}

/** Of an office that was only opened to be asked something, too. */
export function statusOf(work: StandingWork | null): WorkStatus {
  return {
    drains: (work?.drains?.status() ?? []).map(readable),
    reports: (work?.reports?.status() ?? []).map(readable),
    replays: (work?.replays?.status() ?? []).map(readable),
    notifiers: (work?.notices?.status() ?? []).map(readable),
    chores: choresOf(work).flatMap((each) => (each ? [readable(each.status())] : [])),
  };
}

function choresOf(work: StandingWork | null): readonly (Chore | null)[] {
  if (work === null) return [];
  return [work.regrouping, work.alerts, work.sizes, work.keys, work.retention, work.suspensions, ...work.signIn];
}

const longestText = 500;

/** A broker's error may hold the address it could not reach, with the password in it, or a page of HTML. */
function readable<Status extends Pick<ChoreStatus, "trouble" | "lastTrouble">>(status: Status): Status {
  const { trouble, lastTrouble } = status;
  const shown = (text: string) => maskText(text).slice(0, longestText);
  return {
    ...status,
    trouble: trouble === null ? null : shown(trouble),
    lastTrouble: lastTrouble === null ? null : { ...lastTrouble, text: shown(lastTrouble.text) },
  };
}

/** Nothing is sent any more before nobody listens to what becomes of it. */
async function endWork(work: StandingWork): Promise<void> {
  const {
    presence,
    drains,
    reports,
    replays,
    regrouping,
    sizes,
    roster,
    notices,
    alerts,
    keys,
    retention,
    suspensions,
    signIn,
  } = work;
  await replays?.close();
  const others = [drains, reports, regrouping, sizes, roster, notices, alerts, keys, retention, suspensions, ...signIn];
  await Promise.all(others.map(async (each) => each?.close()));
  await presence.close();
}
