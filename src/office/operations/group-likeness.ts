import { z } from "zod";
import type { Ledger } from "../../ledger/ledger.ts";
import { type GroupSummary, readGroup } from "../../ledger/search/find-groups.ts";
import { sampleGroup, sampleRest } from "../../ledger/search/sample-letters.ts";
import { namedGroup } from "../attend/attend-group.ts";
import { comparedLetter } from "../grouping/compared-letter.ts";
import { type CommonField, inCommon } from "../grouping/likeness.ts";
import { commonInWords, commonSearch } from "../grouping/likeness-words.ts";
import { operation } from "./operation.ts";

/** Of the group. */
const lettersLooked = 500;
const fieldsShown = 40;

export const getInCommon = operation({
  name: "groups.common",
  summary:
    "what the latest letters of a group share, where they differ, and what tells them from others of their queue",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: z.object({
    /** Letters of the group that were looked at, the latest, and others of its queue that they were compared with. */
    looked: z.number(),
    compared: z.number(),
    /** When they failed, ISO 8601; null where there are none. */
    firstFailedAt: z.string().nullable(),
    lastFailedAt: z.string().nullable(),
    fields: z.array(
      z.object({
        field: z.string(),
        kind: z.enum(["same", "mostly", "differs"]),
        /** It tells these letters from the others of their queue. */
        isTelling: z.boolean(),
        sentence: z.string(),
        distinct: z.number(),
        /** Those that most letters have; `q` finds these, null where no search can. */
        values: z.array(
          z.object({
            ...{ value: z.string(), n: z.number(), share: z.number(), elsewhere: z.number().nullable() },
            q: z.string().nullable(),
          }),
        ),
      }),
    ),
  }),
  async run({ ledger, clock }, { id }) {
    const group = await readGroup(ledger, id, clock.now());
    const { letters, others } = await sampled(ledger, group);
    const compare = (each: (typeof letters)[number]) => comparedLetter(each, ledger.masking);
    const fields = inCommon(letters.map(compare), others.map(compare)).slice(0, fieldsShown);
    const times = letters.map(({ failedAt }) => failedAt).sort((one, other) => one - other);
    return {
      ...{ looked: letters.length, compared: others.length },
      ...{ firstFailedAt: isoOf(times[0]), lastFailedAt: isoOf(times.at(-1)) },
      fields: fields.map((field) => shownField(group.id, field)),
    };
  },
});

async function sampled(ledger: Ledger, group: GroupSummary) {
  const { ids } = namedGroup(group);
  const { source, queue } = group;
  const letters = await sampleGroup(ledger, ids, lettersLooked);
  return { letters, others: await sampleRest(ledger, { source, queue, without: ids }) };
}

function shownField(group: string, field: CommonField) {
  const values = field.values.map((each) => ({ ...each, q: commonSearch(group, field.field, each.value) }));
  return { ...field, values, sentence: commonInWords(field) };
}

function isoOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
