import { z } from "zod";
import { verifyAudit } from "../../ledger/verify-audit.ts";
import { operation } from "./operation.ts";

const link = z.object({ n: z.number(), hash: z.string() });

export const verifyAuditLog = operation({
  name: "audit.verify",
  summary: "whether the audit log is whole: nothing edited, deleted, reordered or cut",
  role: "viewer",
  input: z.object({ anchor: link.nullable().default(null) }),
  output: z.object({ entries: z.number(), head: link, problem: z.string().nullable() }),
  run: ({ ledger }, { anchor }) => verifyAudit(ledger, anchor),
});
