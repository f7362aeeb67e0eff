import { z } from "zod";
import { listBreakers } from "../../ledger/list-breakers.ts";
import { listConsumers } from "../../ledger/list-consumers.ts";
import { operation } from "./operation.ts";

/** A breaker of a queue, as all processes that have it report it. */
export const reportedBreaker = z.object({
  name: z.string(),
  source: z.string(),
  queue: z.string(),
  service: z.string(),
  state: z.enum(["closed", "half-open", "open"]),
  since: z.string(),
  heardAt: z.string(),
  /** Processes that say so. */
  saying: z.number(),
  /** Processes that have this breaker. */
  processes: z.number(),
});

export const listReportedBreakers = operation({
  name: "breakers.list",
  summary: "breakers of consumers as they report them, those that are open first",
  role: "viewer",
  input: z.object({}),
  output: z.object({
    items: z.array(reportedBreaker),
    next: z.null(),
  }),
  run: async ({ ledger }) => ({ items: [...(await listBreakers(ledger))], next: null }),
});

const consumersAtMost = 500;

export const listReportedConsumers = operation({
  name: "consumers.list",
  summary: "versions of services as they report themselves, by queue, those at work first",
  role: "viewer",
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        source: z.string(),
        queue: z.string(),
        service: z.string(),
        version: z.string(),
        /** Heard of within the last minute; 0 of a version that is gone. */
        instances: z.number(),
        firstSeenAt: z.string(),
        /** Null where its processes are forgotten: others took their place more than a day ago. */
        lastSeenAt: z.string().nullable(),
        schemas: z.array(z.object({ name: z.string(), versions: z.array(z.string()) })),
      }),
    ),
    next: z.null(),
  }),
  async run({ ledger }) {
    const found = await listConsumers(ledger, consumersAtMost);
    const items = found.map(({ schemas, ...consumer }) => ({
      ...consumer,
      schemas: schemas.map(({ name, versions }) => ({ name, versions: [...versions] })),
    }));
    return { items, next: null };
  },
});
