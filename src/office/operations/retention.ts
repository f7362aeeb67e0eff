import { z } from "zod";
import { hashInRef } from "../../domain/body-store.ts";
import { applyRetention, retentionDue } from "../../ledger/retention.ts";
import { operation } from "./operation.ts";

export const getRetention = operation({
  name: "retention.get",
  summary: "what is past its time: letters to expire, and weeks that would go",
  role: "viewer",
  input: z.object({}),
  output: z.object({
    retentionMs: z.number(),
    toExpire: z.number(),
    isAtLeast: z.boolean(),
    weeks: z.array(z.string()),
  }),
  async run({ ledger, clock, retentionMs }) {
    const due = await retentionDue(ledger, { now: clock.now(), retentionMs });
    return { ...due, weeks: [...due.weeks], retentionMs };
  },
});

export const runRetention = operation({
  name: "retention.apply",
  summary: "expires letters past their time, and lets whole weeks of ended letters go",
  role: "admin",
  input: z.object({}),
  output: z.object({
    expired: z.number(),
    dropped: z.array(z.object({ week: z.string(), letters: z.number() })),
    kept: z.array(z.object({ week: z.string(), because: z.enum(["in replay", "busy"]) })),
  }),
  async run({ ledger, bodies, clock, retentionMs }, _input, actor) {
    const { expired, dropped, kept } = await applyRetention(ledger, { actor, now: clock.now(), retentionMs });
    for (const ref of dropped.flatMap(({ unreferenced }) => unreferenced)) await bodies?.forget(hashInRef(ref));
    return { expired, dropped: dropped.map(({ week, letters }) => ({ week, letters })), kept: [...kept] };
  },
});
