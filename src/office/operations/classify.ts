import { z } from "zod";
import { categories, sideEffects } from "../../domain/classification.ts";
import { readGroup } from "../../ledger/search/find-groups.ts";
import { classifyGroup, classifying, classifyLetters } from "../decide/classify-letters.ts";
import { operation } from "./operation.ts";
import { requireCount, selectedLetters, selectLetters } from "./select-letters.ts";
import { wholeNumber } from "./whole-number.ts";

const said = {
  category: z.enum(categories),
  /** Null: as it was judged, letter by letter. */
  sideEffect: z.enum(sideEffects).nullable().default(null),
};

export const classifyByHand = operation({
  name: "letters.classify",
  summary: "says what open letters are, in a person's word; what they were called before is kept",
  role: "operator",
  isScoped: true,
  input: selectedLetters.extend(said),
  output: z.object({ letters: z.number() }),
  async run(office, given, actor) {
    const letters = await selectLetters(office, actor, classifying, given);
    const { category, sideEffect, reason } = given;
    await classifyLetters(office.replay, actor, letters, { category, sideEffect, reason });
    return { letters: letters.length };
  },
});

export const classifyGroupByHand = operation({
  name: "groups.classify",
  summary: "says what the open letters of a group are; those that come later are judged by their evidence",
  role: "operator",
  isScoped: true,
  input: z.object({
    ...{ id: z.string(), ...said, reason: z.string() },
    /** How many open letters it is believed to have; null: however many. */
    expectCount: wholeNumber().nullable().default(null),
  }),
  output: z.object({ group: z.string(), letters: z.number() }),
  async run({ ledger, clock, retentionMs, replay }, { id, category, sideEffect, reason, expectCount }, actor) {
    const { id: group, open } = await readGroup(ledger, id, clock.now());
    if (expectCount !== null) requireCount(open, expectCount);
    const letters = await classifyGroup(replay, actor, { group, retentionMs, category, sideEffect, reason });
    return { group, letters };
  },
});
