import { z } from "zod";
import type { Actor } from "../../domain/actor.ts";
import { noteOnlooker, readOnlookers } from "../../ledger/onlookers.ts";
import { readGroup } from "../../ledger/search/find-groups.ts";
import { wholeIdOf } from "./ids.ts";
import { type Office, operation } from "./operation.ts";

/** Not in the audit log: looking changes nothing, and who looked at what is nobody's business a minute later. */
export const lookOn = operation({
  name: "onlookers.look",
  summary: "says for 45 s that you have a letter, group or replay open, and who else has",
  role: "viewer",
  isScoped: true,
  inPerson: true,
  isUnattended: true,
  input: z.object({ id: z.string() }),
  output: z.object({
    /** The others, those who came first before those who came later. */
    items: z.array(z.object({ id: z.string(), since: z.string() })),
    next: z.null(),
  }),
  async run(office, { id }, actor) {
    const looking = { thing: await seenThing(office, id, actor), person: actor.id };
    await noteOnlooker(office.ledger, looking);
    return { items: [...(await readOnlookers(office.ledger, looking))], next: null };
  },
});

/** Refuses what cannot be seen. A group that was merged is the one it is part of by now: those who look at either meet. */
async function seenThing(office: Office, given: string, actor: Actor): Promise<string> {
  const { id, kind } = await wholeIdOf.run(office, { id: given }, actor);
  return kind === "group" ? (await readGroup(office.ledger, id, office.clock.now())).id : id;
}
