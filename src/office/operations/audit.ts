import { z } from "zod";
import { searchAudit, type WrittenEntry } from "../../ledger/read-audit.ts";
import { verifyAudit } from "../../ledger/verify-audit.ts";
import { auditSentence } from "../audit/audit-words.ts";
import { operation } from "./operation.ts";

const link = z.object({ n: z.number(), hash: z.string() });

export const verifyAuditLog = operation({
  name: "audit.verify",
  summary: "whether the audit log is whole: nothing edited, deleted, reordered or cut",
  role: "viewer",
  input: z.object({
    anchor: link
      .extend({ n: z.int().min(0) })
      .nullable()
      .default(null),
  }),
  output: z.object({ entries: z.number(), head: link, problem: z.string().nullable() }),
  run: ({ ledger }, { anchor }) => verifyAudit(ledger, anchor),
});

const auditEntry = z.object({
  n: z.number(),
  at: z.string(),
  /** With the token it was done by, where it was one. */
  actor: z.string(),
  action: z.string(),
  /** What was done, in words that follow a name. */
  sentence: z.string(),
  /** JSON of whatever else was written down. */
  details: z.string(),
});

const moment = z.iso.datetime({ offset: true }).nullable().default(null);
const words = z.string().trim().max(200).nullable().default(null);

export const listAudit = operation({
  name: "audit.list",
  summary: "who did what, newest first: all of it, or by whom, of what kind and about what",
  role: "viewer",
  isScoped: true,
  input: z.object({
    before: z.int().min(1).nullable().default(null),
    limit: z.int().min(1).max(200).default(50),
    /** Who did it, by name. */
    by: words,
    /** What was done, such as `replay.approved`, or what it was done with, such as `replay`. */
    action: words,
    /** An id, a queue, or any other words that stand in an entry as they are given. */
    about: words,
    /** Without what the office did by itself, such as taking letters in. */
    withoutOffice: z.boolean().default(false),
    /** Done then or later. */
    from: moment,
    /** Done before then. */
    to: moment,
  }),
  output: z.object({
    items: z.array(auditEntry),
    /** Where to look further; also where nothing was found, since one question looks at no more than 100,000 entries. */
    next: z.string().nullable(),
  }),
  async run({ ledger }, { from, to, ...filter }, actor) {
    const during = { from: msOf(from), to: msOf(to) };
    const { entries, rest } = await searchAudit(ledger, { ...filter, ...during, actor: actor.id });
    return { items: entries.map(entryOf), next: rest === null ? null : String(rest) };
  },
});

function msOf(moment: string | null): number | null {
  return moment === null ? null : Date.parse(moment);
}

function entryOf({ n, text }: WrittenEntry): z.input<typeof auditEntry> {
  const { at, actor, action, ...rest } = JSON.parse(text) as {
    readonly at: string;
    readonly actor: { readonly id: string; readonly token?: string };
    readonly action: string;
  };
  const who = actor.token === undefined ? actor.id : `${actor.id} (token ${actor.token})`;
  return { n, at, actor: who, action, sentence: auditSentence(action, rest), details: JSON.stringify(rest) };
}
