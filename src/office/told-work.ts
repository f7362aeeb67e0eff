import { z } from "zod";
import { isInScope, type Scope } from "../domain/actor.ts";
import { listProcesses, type ToldProcess } from "../ledger/processes.ts";
import type { Office } from "./operations/operation.ts";
import type { WorkStatus } from "./work-status.ts";

/** What one process tells of each kind of work, at most: what is troubled first. */
const toldAtMost = 300;

const troubled = {
  since: z.number(),
  trouble: z.string().nullable(),
  lastTrouble: z.object({ text: z.string(), at: z.number() }).nullable(),
};

/** As another version may tell it: what is not understood is left out, and not what stands beside it. */
const told = z.object({
  now: z.number(),
  work: z.object({
    drains: understood(
      z.object({
        ...{ source: z.string(), queue: z.string(), state: z.enum(["draining", "waiting"]), held: z.number() },
        ...{ ...troubled, troubledSince: z.number().nullable() },
      }),
    ),
    reports: understood(
      z.object({ source: z.string(), state: z.enum(["reading", "waiting"]), taken: z.number(), ...troubled }),
    ),
    replays: understood(z.object({ replay: z.string(), state: z.enum(["leading", "waiting"]), ...troubled })),
    notifiers: understood(
      z.object({ name: z.string(), state: z.enum(["telling", "waiting"]), told: z.number(), ...troubled }),
    ),
    chores: understood(z.object({ name: z.string(), state: z.enum(["working", "waiting"]), ...troubled })),
  }),
});

function understood<Status extends z.ZodType>(status: Status) {
  return z
    .array(z.unknown())
    .default([])
    .transform((all) =>
      all.flatMap((each) => {
        const { data } = status.safeParse(each);
        return data === undefined ? [] : [data];
      }),
    );
}

/** What a process does at that moment of its own clock, for the ledger. */
export function tellWork(work: WorkStatus, now: number): string {
  const { drains, reports, replays, notifiers, chores } = work;
  return JSON.stringify({
    now,
    work: {
      ...{ drains: worstFirst(drains), reports: worstFirst(reports), replays: worstFirst(replays) },
      ...{ notifiers: worstFirst(notifiers), chores },
    },
  });
}

/** What others should know at once: what is done, and whether it can be. Counts can wait for the next heartbeat. */
export function gistOf({ drains, reports, replays, notifiers, chores }: WorkStatus): string {
  const all = [drains, reports, replays, notifiers, chores].flatMap((each, kind) =>
    each.map((status) => [kind, namesOf(status), status.state, status.trouble !== null]),
  );
  return JSON.stringify(all);
}

function namesOf(status: object): readonly unknown[] {
  return ["source", "queue", "replay", "name"].map((key) => (status as Readonly<Record<string, unknown>>)[key]);
}

function worstFirst<Status extends { readonly trouble: string | null }>(all: readonly Status[]): readonly Status[] {
  if (all.length <= toldAtMost) return all;
  return all.toSorted((a, b) => Number(a.trouble === null) - Number(b.trouble === null)).slice(0, toldAtMost);
}

/** Something that one process does; null for a process that is not known to the ledger, as of an office that was only opened. */
type Done<Status> = Status & { readonly process: string | null };

/** The work of a whole office, of all of its processes that live; times are by the ledger's clock, but for this process's own. */
export interface OfficeWork {
  readonly processes: readonly ToldProcess[];
  readonly drains: readonly Done<WorkStatus["drains"][number]>[];
  readonly reports: readonly Done<WorkStatus["reports"][number]>[];
  readonly replays: readonly Done<WorkStatus["replays"][number]>[];
  readonly notifiers: readonly Done<WorkStatus["notifiers"][number]>[];
  readonly chores: readonly Done<WorkStatus["chores"][number]>[];
}

/** As far as whoever asks may see it. What this process does itself is told as it is now, of others as they said last. */
export async function workOfOffice({ ledger, self }: Pick<Office, "ledger" | "self">): Promise<OfficeWork> {
  const processes = (await listProcesses(ledger)).map((each) => seenProcess(each, ledger.scope));
  const own = self.id();
  const others = processes.filter(({ id, lives }) => lives && id !== own);
  const parts = [
    { process: own, work: self.work() },
    ...others.map((each) => ({ process: each.id, work: workToldBy(each) })),
  ].map(({ process, work }) => ({ process, work: seenOf(work, ledger.scope) }));
  const all = <Kind extends keyof WorkStatus>(kind: Kind) =>
    parts.flatMap(({ process, work }) => work[kind].map((each) => ({ ...each, process })));
  return {
    ...{ processes, drains: all("drains"), reports: all("reports"), replays: all("replays") },
    ...{ notifiers: all("notifiers"), chores: all("chores") },
  } as OfficeWork;
}

const nothing: WorkStatus = { drains: [], reports: [], replays: [], notifiers: [], chores: [] };

function workToldBy({ toldAt, work: text }: ToldProcess): WorkStatus {
  const { data } = told.safeParse(JSON.parse(text));
  if (data === undefined || toldAt === null) return nothing;
  // By its clock it was that time when the ledger's said `toldAt`.
  return movedBy(data.work, Date.parse(toldAt) - data.now);
}

function movedBy({ drains, reports, replays, notifiers, chores }: WorkStatus, ms: number): WorkStatus {
  return {
    drains: drains.map((each) => ({
      ...moved(each, ms),
      troubledSince: each.troubledSince === null ? null : each.troubledSince + ms,
    })),
    reports: reports.map((each) => moved(each, ms)),
    replays: replays.map((each) => moved(each, ms)),
    notifiers: notifiers.map((each) => moved(each, ms)),
    chores: chores.map((each) => moved(each, ms)),
  };
}

function moved<Status extends Pick<WorkStatus["chores"][number], "since" | "lastTrouble">>(
  status: Status,
  ms: number,
): Status {
  const { since, lastTrouble } = status;
  return {
    ...status,
    since: since + ms,
    lastTrouble: lastTrouble === null ? null : { ...lastTrouble, at: lastTrouble.at + ms },
  };
}

/** Where it runs is nothing to those to whom not all queues are shown, neither by itself nor in what troubles the office. */
function seenProcess(process: ToldProcess, scope: Scope): ToldProcess {
  return scope.length === 0 ? process : { ...process, host: "" };
}

/** Reports and replays are of several queues at once: seen from some of them there are none. */
function seenOf(work: WorkStatus, scope: Scope): WorkStatus {
  if (scope.length === 0) return work;
  const drains = work.drains.filter(({ source, queue }) => isInScope(scope, source, queue));
  return { ...nothing, drains };
}
