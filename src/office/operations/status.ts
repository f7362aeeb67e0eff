import { z } from "zod";
import { duties } from "../../domain/duty.ts";
import type { ToldProcess } from "../../ledger/processes.ts";
import { readStop } from "../../ledger/stopped-sending.ts";
import type { LastTrouble } from "../last-trouble.ts";
import { officeTroubles } from "../office-troubles.ts";
import { workOfOffice } from "../told-work.ts";
import { operation } from "./operation.ts";

/** What is said of every piece of work. */
const work = {
  /** Which process does it. */
  process: z.string().nullable(),
  since: z.string(),
  /** Why it waits, or what troubles it. */
  trouble: z.string().nullable(),
  /** What troubled it last, which may be over. */
  lastTrouble: z.object({ text: z.string(), at: z.string() }).nullable(),
};

export const getStatus = operation({
  name: "status.get",
  summary: "how the office itself is, in all of its processes: what each drains, hears and leads, and what troubles it",
  role: "viewer",
  isScoped: true,
  isShared: true,
  input: z.object({}),
  output: z.object({
    version: z.string(),
    now: z.string(),
    /** The process that answers, among `processes`; null while it does nothing by itself. */
    process: z.string().nullable(),
    ledger: z.object({ place: z.string(), isEmbedded: z.boolean() }),
    /** Processes of this office, wherever they run: those that live, then those that fell silent within a day. */
    processes: z.array(
      z.object({
        ...{ id: z.string(), version: z.string(), duties: z.array(z.enum(duties)), startedAt: z.string() },
        /** The machine and its number there; empty where only some queues are shown. */
        host: z.string(),
        /** False: it took no leave, and nothing was heard of it for longer than its lease. */
        lives: z.boolean(),
        /** When it told of itself last. */
        heardAt: z.string().nullable(),
        /** The last migration it has. */
        schema: z.number(),
        /** How far its clock is ahead of the database's. */
        clockAheadMs: z.number().nullable(),
        /** How many follow its live stream. */
        followers: z.number(),
      }),
    ),
    /** What keeps the office from its work, with the way out; the worst first. */
    troubles: z.array(
      z.object({ code: z.string(), sentence: z.string(), change: z.string(), since: z.string().nullable() }),
    ),
    /** Who stopped all sending, until somebody releases it. */
    stopped: z.object({ by: z.string(), at: z.string(), reason: z.string().nullable() }).nullable(),
    drains: z.array(
      z.object({
        ...{ source: z.string(), queue: z.string(), state: z.enum(["draining", "waiting"]), held: z.number() },
        ...work,
        /** Since when it cannot be drained, whatever was tried since; null while it can. */
        troubledSince: z.string().nullable(),
      }),
    ),
    reports: z.array(
      z.object({ source: z.string(), state: z.enum(["reading", "waiting"]), taken: z.number(), ...work }),
    ),
    /** Who is told of what happens. */
    notifiers: z.array(
      z.object({ name: z.string(), state: z.enum(["telling", "waiting"]), told: z.number(), ...work }),
    ),
    replays: z.array(z.object({ replay: z.string(), state: z.enum(["leading", "waiting"]), ...work })),
    chores: z.array(z.object({ name: z.string(), state: z.enum(["working", "waiting"]), ...work })),
  }),
  async run(office) {
    const { clock, self, ledger } = office;
    const all = await workOfOffice(office);
    const now = clock.now();
    return {
      ...{ version: self.version, now: iso(now), process: self.id() },
      ledger: { place: self.place, isEmbedded: self.isEmbedded },
      processes: all.processes.map(shownProcess),
      troubles: officeTroubles(all, now).map(({ since, ...each }) => ({ ...each, since: isoOrNull(since) })),
      stopped: await readStop(ledger, ledger.database),
      drains: all.drains.map(({ troubledSince, ...drain }) => ({
        ...shown(drain),
        troubledSince: isoOrNull(troubledSince),
      })),
      reports: all.reports.map(shown),
      replays: all.replays.map(shown),
      notifiers: all.notifiers.map(shown),
      chores: all.chores.map(shown),
    };
  },
});

function shownProcess(process: ToldProcess) {
  const { id, version, duties: does, startedAt, host, lives, toldAt, knows, clockAheadMs, followers } = process;
  return {
    ...{ id, version, duties: [...does], startedAt, host, lives },
    ...{ heardAt: toldAt, schema: knows, clockAheadMs, followers },
  };
}

interface Since {
  readonly since: number;
  readonly lastTrouble: LastTrouble | null;
}

function shown<Status extends Since>({ since, lastTrouble, ...status }: Status) {
  const last = lastTrouble === null ? null : { text: lastTrouble.text, at: iso(lastTrouble.at) };
  return { ...status, since: iso(since), lastTrouble: last };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}
