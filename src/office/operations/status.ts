import { z } from "zod";
import { readStop } from "../../ledger/stopped-sending.ts";
import { operation } from "./operation.ts";

export const getStatus = operation({
  name: "status.get",
  summary: "how the office itself is: its ledger, what it drains, hears and leads, and what troubles it",
  role: "viewer",
  input: z.object({}),
  output: z.object({
    version: z.string(),
    now: z.string(),
    ledger: z.object({ place: z.string(), isEmbedded: z.boolean() }),
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
    const { drains, reports, replays } = self.work();
    return {
      version: self.version,
      now: iso(clock.now()),
      ledger: { place: self.place, isEmbedded: self.isEmbedded },
      stopped: await readStop(ledger, ledger.database),
      drains: drains.map(shown),
      reports: reports.map(shown),
      replays: replays.map(shown),
    };
  },
});

function shown<Status extends { readonly since: number }>({ since, ...status }: Status) {
  return { ...status, since: iso(since) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
