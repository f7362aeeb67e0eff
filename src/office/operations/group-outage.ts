import { z } from "zod";
import { readGroup } from "../../ledger/search/find-groups.ts";
import { failureSpans } from "../../ledger/search/group-failures.ts";
import { namedGroup } from "../attend/attend-group.ts";
import { largestOutage, outagesIn } from "../insights/past-outage.ts";
import { operation } from "./operation.ts";

const lettersLooked = 5_000;

export const getGroupOutage = operation({
  name: "groups.outage",
  summary:
    "the outage that most letters of a group failed in, as it can be simulated: when they failed for the first time",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: z.object({
    group: z.string(),
    title: z.string(),
    queue: z.string(),
    /** Letters whose failures have a time, of the latest 5,000; outages that they tell of. */
    letters: z.number(),
    outages: z.number(),
    /** Null: no letter says when it failed. */
    outage: z
      .object({ beganAt: z.string(), endedAt: z.string(), bucketMs: z.number(), failures: z.array(z.number()) })
      .nullable(),
  }),
  async run({ ledger, clock }, { id }) {
    const group = await readGroup(ledger, id, clock.now());
    const spans = await failureSpans(ledger, namedGroup(group).ids, lettersLooked);
    const found = largestOutage(spans);
    const outage = found && {
      ...{ beganAt: new Date(found.beganAt).toISOString(), endedAt: new Date(found.endedAt).toISOString() },
      ...{ bucketMs: found.bucketMs, failures: [...found.failures] },
    };
    const { title, queue } = group;
    return { group: group.id, title, queue, letters: spans.length, outages: outagesIn(spans).length, outage };
  },
});
