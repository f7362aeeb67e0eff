import { z } from "zod";
import { isInScope, type Scope } from "../../domain/actor.ts";
import { duties } from "../../domain/duty.ts";
import { listProcesses } from "../../ledger/processes.ts";
import { readStop } from "../../ledger/stopped-sending.ts";
import type { WorkStatus } from "../standing-work.ts";
import { operation } from "./operation.ts";

export const getStatus = operation({
  name: "status.get",
  summary: "how the office itself is: its ledger, what it drains, hears and leads, and what troubles it",
  role: "viewer",
  isScoped: true,
  isShared: true,
  input: z.object({}),
  output: z.object({
    version: z.string(),
    now: z.string(),
    ledger: z.object({ place: z.string(), isEmbedded: z.boolean() }),
    /** Processes of this office that live, wherever they run. */
    processes: z.array(
      z.object({ id: z.string(), version: z.string(), duties: z.array(z.enum(duties)), startedAt: z.string() }),
    ),
    /** Who stopped all sending, until somebody releases it. */
    stopped: z.object({ by: z.string(), at: z.string(), reason: z.string().nullable() }).nullable(),
    drains: z.array(
      z.object({
        source: z.string(),
        queue: z.string(),
        state: z.enum(["draining", "waiting"]),
        since: z.string(),
        held: z.number(),
        trouble: z.string().nullable(),
        /** Since when it cannot be drained, whatever was tried since; null while it can. */
        troubledSince: z.string().nullable(),
      }),
    ),
    reports: z.array(
      z.object({
        source: z.string(),
        state: z.enum(["reading", "waiting"]),
        since: z.string(),
        taken: z.number(),
        trouble: z.string().nullable(),
      }),
    ),
    /** Who is told of what happens, by this process. */
    notifiers: z.array(
      z.object({
        name: z.string(),
        state: z.enum(["telling", "waiting"]),
        since: z.string(),
        told: z.number(),
        trouble: z.string().nullable(),
      }),
    ),
    replays: z.array(
      z.object({
        replay: z.string(),
        state: z.enum(["leading", "waiting"]),
        since: z.string(),
        trouble: z.string().nullable(),
      }),
    ),
  }),
  async run({ clock, self, ledger }) {
    const { drains, reports, replays, notifiers } = seenOf(self.work(), ledger.scope);
    return {
      version: self.version,
      now: iso(clock.now()),
      ledger: { place: self.place, isEmbedded: self.isEmbedded },
      processes: [...(await listProcesses(ledger))].map((each) => ({ ...each, duties: [...each.duties] })),
      stopped: await readStop(ledger, ledger.database),
      drains: drains.map(({ troubledSince, ...drain }) => ({
        ...shown(drain),
        troubledSince: troubledSince === null ? null : iso(troubledSince),
      })),
      reports: reports.map(shown),
      replays: replays.map(shown),
      notifiers: notifiers.map(shown),
    };
  },
});

/** Reports and replays are of several queues at once: seen from some of them there are none. */
function seenOf(work: WorkStatus, scope: Scope): WorkStatus {
  if (scope.length === 0) return work;
  const drains = work.drains.filter(({ source, queue }) => isInScope(scope, source, queue));
  return { drains, reports: [], replays: [], notifiers: [] };
}

function shown<Status extends { readonly since: number }>({ since, ...status }: Status) {
  return { ...status, since: iso(since) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
