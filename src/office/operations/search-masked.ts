import { z } from "zod";
import { termsOf } from "../../domain/query/find-term.ts";
import { parseQuery } from "../../domain/query/parse-query.ts";
import { recordAction } from "../../ledger/audit.ts";
import { findLetters } from "../../ledger/search/find-letters.ts";
import { searchedNow } from "../replay/searched-now.ts";
import { letterSummary } from "./letter-shapes.ts";
import { operation } from "./operation.ts";
import { nothingMasked } from "./show-letter.ts";
import { searchWarning, warningsOf } from "./unknown-names.ts";

export const searchMasked = operation({
  name: "letters.searchMasked",
  summary: "letters by a header or a value of their bodies that is masked elsewhere; the reason goes to the audit log",
  role: "viewer",
  isScoped: true,
  inPerson: true,
  isSecret: true,
  reveals: () => true,
  input: z.object({
    q: z.string(),
    reason: z.string().trim().min(3).max(500),
    limit: z.int().min(1).max(200).default(50),
    after: z.string().nullable().default(null),
  }),
  output: z.object({ items: z.array(letterSummary), next: z.string().nullable(), warnings: z.array(searchWarning) }),
  async run(office, { q, reason, limit, after }, actor) {
    const { ledger, clock } = office;
    const paths = termsOf(parseQuery(q)).flatMap(({ field, path }) => (path === null ? [] : [`${field}.${path}`]));
    // Before it is looked for, since "nothing found" is an answer too; and without the value, which the log would keep for ever.
    const details = { paths: [...new Set(paths)], reason };
    await recordAction(ledger, ledger.database, { at: clock.now(), actor, action: "letters.searched_masked", details });
    const search = { q, sort: "-arrived", limit, after, ...searchedNow(office, actor) } as const;
    const unmasked = { ...ledger, masking: nothingMasked };
    const page = await findLetters(unmasked, search);
    return { ...page, items: [...page.items], warnings: after === null ? await warningsOf(unmasked, search) : [] };
  },
});
