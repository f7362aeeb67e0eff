import { z } from "zod";
import { readAudit, type WrittenEntry } from "../../ledger/read-audit.ts";
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

const auditEntry = z.object({
  n: z.number(),
  at: z.string(),
  /** With the token it was done by, where it was one. */
  actor: z.string(),
  action: z.string(),
  /** JSON of whatever else was written down. */
  details: z.string(),
});

export const listAudit = operation({
  name: "audit.list",
  summary: "who did what, newest first",
  role: "viewer",
  isScoped: true,
  input: z.object({
    before: z.int().min(1).nullable().default(null),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({ items: z.array(auditEntry), next: z.string().nullable() }),
  async run({ ledger }, { before, limit }, actor) {
    const entries = await readAudit(ledger, { before, limit: limit + 1, actor: actor.id });
    const items = entries.slice(0, limit).map(entryOf);
    const last = items.at(-1);
    return { items, next: entries.length > limit && last !== undefined ? String(last.n) : null };
  },
});

function entryOf({ n, text }: WrittenEntry): z.input<typeof auditEntry> {
  const { at, actor, action, ...rest } = JSON.parse(text) as {
    readonly at: string;
    readonly actor: { readonly id: string; readonly token?: string };
    readonly action: string;
  };
  const who = actor.token === undefined ? actor.id : `${actor.id} (token ${actor.token})`;
  return { n, at, actor: who, action, details: JSON.stringify(rest) };
}
