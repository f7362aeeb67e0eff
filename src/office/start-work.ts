import type { Database } from "../domain/database.ts";
import type { Duty } from "../domain/duty.ts";
import { findLeaderless } from "../ledger/lead-replay.ts";
import { noteSizes } from "../ledger/ledger-size.ts";
import type { NamedRole } from "../ledger/people/roles.ts";
import type { Sources } from "../sources/real-sources.ts";
import type { SourcePool } from "../sources/source-pool.ts";
import { standingAlerts } from "./alerts/standing-alerts.ts";
import { type Chore, chore } from "./chore.ts";
import { standingRegrouping } from "./grouping/standing-regrouping.ts";
import { drainUntil, officeItself } from "./intake/own-drain.ts";
import { type StandingDrains, standingDrains } from "./intake/standing-drains.ts";
import { standingReleases } from "./keys/standing-releases.ts";
import { type StandingNoticesParts, standingNotices } from "./notify/standing-notices.ts";
import type { Office } from "./operations/operation.ts";
import type { PeopleKeeper } from "./people/standing-people.ts";
import { standingSuspensions } from "./people/suspensions.ts";
import type { Presence } from "./presence.ts";
import { autoReplays } from "./replay/auto-replay.ts";
import { inWhoseName } from "./replay/in-whose-name.ts";
import { readReports } from "./replay/read-reports.ts";
import type { ReplayParts } from "./replay/replay-parts.ts";
import { runWatched } from "./replay/run-watched.ts";
import { endedSettler } from "./replay/seek-evidence.ts";
import { type StandingReplays, standingReplays } from "./replay/standing-replays.ts";
import { type ReadHooks, type StandingReports, standingReports } from "./replay/standing-reports.ts";
import { standingRetention } from "./retention/standing-retention.ts";
import { standingRoster } from "./standing-roster.ts";
import type { StandingWork } from "./standing-work.ts";

/** Others take over what a dead process had in hand when this is over. */
const standingLeaseMs = 6_000;

export interface Replaying {
  readonly replay: ReplayParts;
  readonly pool: SourcePool;
  readonly drainQueue: Office["drain"];
}

export interface Working extends Replaying {
  readonly office: Office;
  readonly sources: Sources;
  readonly telling: StandingNoticesParts;
  readonly presence: Presence;
  readonly signIn: {
    readonly people: PeopleKeeper;
    /** Null where no provider gives refresh tokens that are used. */
    readonly sessionChecks: (() => Chore) | null;
  };
  /** Where this process runs, for people. */
  readonly host: string;
  /** How many follow the live stream of this process. */
  readonly followers: () => number;
  /** Of the ledger, without a guard. */
  readonly database: Database;
  /** Of the configuration. */
  readonly roles: readonly NamedRole[];
}

/** Begins what this process is to do by itself. */
export async function startWork(parts: Working, does: readonly Duty[]): Promise<StandingWork> {
  const { office, replay } = parts;
  const self = { id: replay.host.newId(), version: office.self.version, duties: does, host: parts.host };
  const { presence } = parts;
  const look = () => ({ work: office.self.work(), followers: parts.followers() });
  await presence.begin({ ...replay.ledger, database: parts.database }, self, look);
  const drains = does.includes("intake") ? startDrains(parts) : null;
  const regrouping = does.includes("intake") ? standingRegrouping(office, officeItself) : null;
  const sizes = does.includes("intake") ? noteSizesHourly(parts) : null;
  const retention = does.includes("intake") ? standingRetention(office, officeItself) : null;
  const roster = standingRoster(parts.sources.desk.book.refresh, replay.host.clock);
  const { people, sessionChecks } = parts.signIn;
  const signIn = does.includes("http") ? [people.begin(), ...(sessionChecks === null ? [] : [sessionChecks()])] : [];
  const always = { presence, drains, regrouping, sizes, retention, roster, signIn };
  if (!does.includes("replay"))
    return { ...always, reports: null, replays: null, notices: null, alerts: null, keys: null, suspensions: null };
  const told = { notices: standingNotices(parts.telling), alerts: standingAlerts(office, replay.host.clock) };
  const suspensions = standingSuspensions({ ledger: office.ledger, clock: replay.host.clock });
  const keys = standingReleases(office);
  return { ...always, ...told, suspensions, keys, reports: startReports(parts), replays: startReplays(parts, drains) };
}

/** So that it can be said how the ledger grows. */
function noteSizesHourly({ replay: { ledger, host } }: Working): Chore {
  return chore({ name: "ledger size", everyMs: 3_600_000, clock: host.clock, act: () => noteSizes(ledger) });
}

function startReports({ sources, replay, pool }: Working): StandingReports {
  const read = (source: string, hooks: ReadHooks) => readReports(replay, pool, source, hooks);
  return standingReports({ sources: sources.all, read, clock: replay.host.clock });
}

function startReplays({ replay, drainQueue, roles }: Working, drains: StandingDrains | null): StandingReplays {
  const { ledger } = replay;
  const isDrained = (source: string, queue: string) =>
    drains?.status().some((drained) => drained.source === source && drained.queue === queue) ?? false;
  const follow = async (source: string, queue: string, signal: AbortSignal) => {
    if (!isDrained(source, queue)) await drainUntil(drainQueue, { source, queue, signal });
  };
  return standingReplays({
    findLeaderless: (request) => findLeaderless(ledger, request),
    run: async (id, signal) => {
      const actor = await inWhoseName(ledger, id, roles);
      return runWatched({ replay, readReports: null, follow }, { replay: id, actor, signal });
    },
    ...{ settleEnded: endedSettler(replay, officeItself), beginAuto: autoReplays(replay) },
    clock: replay.host.clock,
  });
}

function startDrains({ sources, drainQueue, replay: { host } }: Working): StandingDrains {
  const tuning = { idleMs: null, leaseMs: standingLeaseMs };
  return standingDrains({
    ...{ sources: sources.all, queuesOf: sources.queuesOf },
    drain: (queue, hooks) => drainQueue({ ...queue, ...hooks, actor: officeItself, tuning }),
    clock: host.clock,
  });
}
