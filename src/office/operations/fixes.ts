import { z } from "zod";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { makeId, readId, showId, uuidOf } from "../../domain/ids.ts";
import { clockSkewMs } from "../../domain/protocol.ts";
import { recordAction } from "../../ledger/audit.ts";
import { countAround, insertFix, listFixes, type RecordedFix, retractFix } from "../../ledger/fixes.ts";
import { insertGroupWord, standingWords } from "../../ledger/group-words.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { readGroup } from "../../ledger/search/find-groups.ts";
import { type Office, operation } from "./operation.ts";

const text = z.string().trim().min(1).max(500);

const shownFix = z.object({
  id: z.string(),
  group: z.string(),
  called: z.string(),
  reason: z.string().nullable(),
  /** The commit or version that brought the bug in, by what was said with the fix or, else, of its group. */
  introducedBy: z.string().nullable(),
  fixedAt: z.string(),
  recordedBy: z.string(),
  retractedBy: z.string().nullable(),
  /** Open letters of the group, by when they failed. */
  letters: z.object({
    /** Before the fix: it may help them. */
    before: z.number(),
    /** After it: they prove that it does not cover every case. */
    after: z.number(),
    /** It cannot be told: that proves nothing. */
    unknown: z.number(),
    /** Some of those after it. */
    proof: z.array(z.string()),
  }),
});

export const recordFix = operation({
  name: "fixes.record",
  summary: "that what broke a group's letters is mended, and since when",
  role: "operator",
  isScoped: true,
  input: z.object({
    group: z.string(),
    /** A version, a commit, a ticket: whatever people know it by. */
    called: text,
    /** The commit that brought the bug in. */
    introducedBy: text.nullable().default(null),
    reason: text.nullable().default(null),
    fixedAt: z.iso.datetime({ offset: true }).nullable().default(null),
  }),
  output: shownFix,
  async run(office, { group, fixedAt: given, ...said }, actor) {
    const { ledger, clock, newId } = office;
    const now = clock.now();
    const fixedAt = given === null ? now : Date.parse(given);
    if (fixedAt > now + clockSkewMs) {
      throw new OfficeError("INVALID_OPTION", "`fixedAt` lies in the future: record a fix when it is live.");
    }
    const { id: standing } = await readGroup(ledger, group, now);
    const fix: RecordedFix = {
      ...{ ...said, id: makeId(now, newId()), groupId: readId("group", standing), fixedAt },
      ...{ recordedBy: actor.id, retractedBy: null },
    };
    const details = { fix: showId("fix", fix.id), group, ...said, fixedAt: new Date(fixedAt).toISOString() };
    await ledger.database.transaction(async (transaction) => {
      await insertFix(ledger, transaction, fix, actor.id);
      await introduce(ledger, transaction, fix, now);
      await recordAction(ledger, transaction, { at: now, actor, action: "fix.recorded", details });
    });
    return showFix(office, fix);
  },
});

/** Of the group, whatever becomes of the fix. */
async function introduce(ledger: Ledger, queries: Queries, fix: RecordedFix, at: number): Promise<void> {
  const { groupId, introducedBy: said, recordedBy: actor } = fix;
  if (said === null) return;
  const nothingElse = { text: null, until: null, isUntilWorse: false, stood: null };
  await insertGroupWord(ledger, queries, uuidOf(groupId), { ...nothingElse, kind: "introduced", said, actor, at });
}

export const retractRecordedFix = operation({
  name: "fixes.retract",
  summary: "that a fix was none: it opens no gate any more",
  role: "operator",
  isScoped: true,
  input: z.object({ id: z.string(), reason: text.nullable().default(null) }),
  output: z.object({ id: z.string() }),
  async run({ ledger, clock }, { id, reason }, actor) {
    const fix = readId("fix", id);
    await ledger.database.transaction(async (transaction) => {
      if (!(await retractFix(ledger, transaction, fix, actor.id))) {
        throw new OfficeError("FIX_NOT_FOUND", `There is no fix ${id} that still stands. \`dlo fix list\` shows them.`);
      }
      const details = { fix: id, reason };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "fix.retracted", details });
    });
    return { id };
  },
});

export const listRecordedFixes = operation({
  name: "fixes.list",
  summary: "fixes that were recorded, newest first, with the letters that failed before and after each",
  role: "viewer",
  isScoped: true,
  input: z.object({ limit: z.int().min(1).max(50).default(20) }),
  output: z.object({ items: z.array(shownFix), next: z.null() }),
  async run(office, { limit }) {
    const fixes = await listFixes(office.ledger, limit);
    return { items: await Promise.all(fixes.map((fix) => showFix(office, fix))), next: null };
  },
});

async function introductionOf(ledger: Ledger, groupId: Uint8Array): Promise<string | null> {
  const group = uuidOf(groupId);
  return (await standingWords(ledger, [{ id: group, ids: [group] }])).get(group)?.introduction?.said ?? null;
}

async function showFix({ ledger }: Office, fix: RecordedFix): Promise<z.input<typeof shownFix>> {
  const { id, groupId, fixedAt, called, reason, recordedBy, retractedBy } = fix;
  const introducedBy = fix.introducedBy ?? (await introductionOf(ledger, groupId));
  const { proof, ...counts } = await countAround(ledger, { groupId, moment: fixedAt, skewMs: clockSkewMs });
  return {
    ...{
      id: showId("fix", id),
      group: showId("group", groupId),
      called,
      reason,
      introducedBy,
      recordedBy,
      retractedBy,
    },
    fixedAt: new Date(fixedAt).toISOString(),
    letters: { ...counts, proof: proof.map((letter) => showId("letter", letter)) },
  };
}
