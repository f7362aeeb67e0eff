import { z } from "zod";
import { readId } from "../../domain/ids.ts";
import { letterNotFound } from "../../ledger/search/read-letter.ts";
import { judgeAlone, outlooks } from "../replay/judge-alone.ts";
import { operation } from "./operation.ts";

export const getLetterOutlook = operation({
  name: "letters.outlook",
  summary:
    "whether a letter may go back as things stand, why not, and what would change it; nothing is planned or sent",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: z.object({
    /** As a search for `replay:` has it. */
    outlook: z.enum(outlooks),
    reason: z.object({ code: z.string(), sentence: z.string(), change: z.string() }),
  }),
  async run({ replay }, { id }, actor) {
    const [judged] = await judgeAlone(replay, actor, [readId("letter", id)]);
    if (judged === undefined) throw letterNotFound(id);
    const { code, sentence, change } = judged.judgement;
    const said = [change, judged.approval ?? ""].filter((text) => text !== "").join(" ");
    return { outlook: judged.outlook, reason: { code, sentence, change: said } };
  },
});
