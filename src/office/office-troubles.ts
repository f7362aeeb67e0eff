import type { Duty } from "../domain/duty.ts";
import { groupedBy } from "../domain/grouped-by.ts";
import type { ToldProcess } from "../ledger/processes.ts";
import type { OfficeWork } from "./told-work.ts";

/** Something that keeps an office from its work, and the way out. */
export interface OfficeTrouble {
  readonly code: string;
  readonly sentence: string;
  readonly change: string;
  /** Since when, in milliseconds since 1970; null where that is not known. */
  readonly since: number | null;
}

/** Clocks that differ by more make people misread when something happened. */
const skewMs = 2_000;
/** So long others need to be told of a process that fell silent, whoever does its work by now. */
const vanishedNewsMs = 3_600_000;
/** The worst are enough: what they have in common is found in the first. */
const ofOneKind = 10;

const missing = {
  intake: "dead-letter queues are not drained",
  replay: "replays stand still, nobody hears consumers, and nobody is told of anything",
} as const satisfies Partial<Record<Duty, string>>;

/** What troubles a whole office, whichever of its processes it troubles; worst first. */
export function officeTroubles(work: OfficeWork, now: number): readonly OfficeTrouble[] {
  const { processes } = work;
  const living = processes.filter(({ lives }) => lives);
  return [
    ...missingDuties(living),
    ...drainTroubles(work),
    ...otherTroubles(work),
    ...processes.filter(({ lives }) => !lives).flatMap((each) => vanished(each, now)),
    ...living.flatMap(skewed),
    ...mixedVersions(living),
  ];
}

/** By what people call it; one that tells nothing of itself, by its id. */
function nameOfProcess({ host, id }: Pick<ToldProcess, "host" | "id">): string {
  return host === "" ? id.slice(0, 13) : host;
}

/** While none runs at all, nobody is asked for anything either. */
function missingDuties(living: readonly ToldProcess[]): OfficeTrouble[] {
  if (living.length === 0) return [];
  return (["intake", "replay"] as const)
    .filter((duty) => !living.some(({ duties }) => duties.includes(duty)))
    .map((duty) => ({
      code: "duty.missing",
      sentence: `No process that lives has the duty ${duty}: ${missing[duty]}.`,
      change: `Start one: dlo up --only ${duty}`,
      since: null,
    }));
}

/** One process that cannot drain a queue is no trouble of the queue's while another one can. */
function drainTroubles({ drains, processes }: OfficeWork): OfficeTrouble[] {
  const places = groupedBy(drains, ({ source, queue }) => (queue === "*" ? source : `${source}/${queue}`));
  const change = "It is tried again by itself. dlo doctor says what the broker refuses, and which rights are missing.";
  return [...places]
    .flatMap(([name, all]) => {
      const hindered = all.filter(({ troubledSince }) => troubledSince !== null);
      const [one] = hindered;
      if (one === undefined) return [];
      const since = Math.max(...hindered.map(({ troubledSince }) => troubledSince ?? 0));
      const what = one.queue === "*" ? `Which queues ${name} has cannot be found out` : `${name} is not drained`;
      const process = processes.find(({ id }) => id === one.process);
      const where = hindered.length === all.length ? "" : ` by ${process ? nameOfProcess(process) : "this process"}`;
      return [{ code: "drain.troubled", sentence: sentence(`${what}${where}`, one.trouble), change, since }];
    })
    .slice(0, ofOneKind);
}

function otherTroubles({ reports, replays, notifiers, chores }: OfficeWork): OfficeTrouble[] {
  const waiting = [
    ...replays.map((each) => ({ ...each, code: "replay.troubled", what: `${each.replay} cannot go on` })),
    ...reports.map((each) => ({
      ...{ ...each, code: "reports.troubled", what: `The reports of consumers at ${each.source} are not read` },
    })),
    ...notifiers.map((each) => ({ ...each, code: "notifier.troubled", what: `${each.name} cannot be told` })),
    ...chores.map((each) => ({ ...each, code: "chore.troubled", what: `The work on ${each.name} stands still` })),
  ].filter(({ state }) => state === "waiting");
  const change = "It is tried again by itself.";
  return waiting
    .slice(0, ofOneKind)
    .map(({ code, what, trouble, since }) => ({ code, sentence: sentence(what, trouble), change, since }));
}

function vanished(process: ToldProcess, now: number): OfficeTrouble[] {
  const since = process.toldAt === null ? null : Date.parse(process.toldAt);
  if (since !== null && now - since > vanishedNewsMs) return [];
  const what = `Process ${nameOfProcess(process)} (${process.duties.join(", ")}) fell silent without taking leave`;
  const why = "it was killed, stands still, or does not reach the ledger";
  const change = "What it led is led by others with its duties, if there are any. Its own log says why it ended.";
  return [{ code: "process.vanished", sentence: sentence(what, why), change, since }];
}

function skewed(process: ToldProcess): OfficeTrouble[] {
  const ms = process.clockAheadMs ?? 0;
  if (Math.abs(ms) <= skewMs) return [];
  const by = `${(Math.abs(ms) / 1_000).toFixed(1)} s ${ms > 0 ? "ahead of" : "behind"}`;
  return [
    {
      code: "clock.skewed",
      sentence: `The clock of ${nameOfProcess(process)} is ${by} the database's, so times and ages may be off by that.`,
      change: "Let both machines follow the same time servers (NTP). Leases go by the database's clock and are safe.",
      since: null,
    },
  ];
}

function mixedVersions(living: readonly ToldProcess[]): OfficeTrouble[] {
  const versions = new Set(living.map(({ version, knows }) => `${version} (schema ${knows})`));
  if (versions.size < 2) return [];
  return [
    {
      code: "versions.mixed",
      sentence: `Processes of ${versions.size} versions run side by side: ${[...versions].sort().join(", ")}.`,
      change: "That is right during an upgrade. When it is over, end those of the older version.",
      since: null,
    },
  ];
}

function sentence(what: string, why: string | null): string {
  const text = why === null ? what : `${what}: ${why}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
