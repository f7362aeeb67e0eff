import { z } from "zod";
import { operation } from "./operation.ts";

export const getStatus = operation({
  name: "status.get",
  summary: "how the office itself is: its ledger, what it drains, and what troubles it",
  role: "viewer",
  input: z.object({}),
  output: z.object({
    version: z.string(),
    now: z.string(),
    ledger: z.object({ place: z.string(), isEmbedded: z.boolean() }),
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
  }),
  run: async ({ clock, self }) => ({
    version: self.version,
    now: new Date(clock.now()).toISOString(),
    ledger: { place: self.place, isEmbedded: self.isEmbedded },
    drains: self.drains().map(({ since, ...drain }) => ({ ...drain, since: new Date(since).toISOString() })),
  }),
});
