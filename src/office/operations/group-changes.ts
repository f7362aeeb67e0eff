import { z } from "zod";
import { OfficeError } from "../../domain/errors.ts";
import { readId, uuidOf } from "../../domain/ids.ts";
import { changesInForce, type GroupChange, readGroupChanges } from "../../ledger/group-changes.ts";
import { readRegrouping } from "../../ledger/regrouping.ts";
import { groupOfUuid, mergeGroups, splitGroup, undoChange } from "../grouping/change-groups.ts";
import { previewMerge, previewSplit } from "../grouping/preview-change.ts";
import { operation } from "./operation.ts";
import { wholeNumber } from "./whole-number.ts";

const reason = z.string().max(2_000).nullable().default(null);
const condition = z.string().trim().min(1).max(2_000);

const groupChange = z.object({
  version: z.number(),
  kind: z.enum(["merge", "split", "undo"]),
  group: z.string(),
  into: z.string(),
  /** Of a split: which letters go, in CEL. */
  when: z.string().nullable(),
  /** Of an undo: the version that holds no more. */
  undoes: z.number().nullable(),
  reason: z.string().nullable(),
  by: z.string(),
  at: z.string(),
});

function shown({ condition: when, actor: by, at, version, kind, group, into, undoes, reason: why }: GroupChange) {
  const groups = { group: groupOfUuid(group), into: groupOfUuid(into) };
  return { version, kind, ...groups, when, undoes, reason: why, by, at: at.toISOString() };
}

export const mergeGroup = operation({
  name: "groups.merge",
  summary: "lets the letters of a group belong to another one, those that come later too",
  role: "operator",
  input: z.object({ id: z.string(), into: z.string(), reason }),
  output: groupChange,
  run: async (office, input, actor) => shown(await mergeGroups(office, actor, input)),
});

export const splitGroupByCondition = operation({
  name: "groups.split",
  summary: "makes a group of the letters of a group that fit a condition, those that come later too",
  role: "operator",
  input: z.object({
    id: z.string(),
    when: condition,
    title: z.string().trim().min(1).max(500).nullable().default(null),
    reason,
  }),
  output: groupChange,
  run: async (office, input, actor) => shown(await splitGroup(office, actor, input)),
});

export const undoGroupChange = operation({
  name: "groups.undo",
  summary: "takes a merge or a split back: letters go to where they were without it",
  role: "operator",
  input: z.object({ version: wholeNumber(1), reason }),
  output: groupChange,
  run: async (office, input, actor) => shown(await undoChange(office, actor, input)),
});

export const previewGroupChange = operation({
  name: "groups.preview",
  summary: "how many letters a merge or a split would move; nothing is changed",
  role: "viewer",
  input: z.object({
    id: z.string(),
    into: z.string().nullable().default(null),
    when: condition.nullable().default(null),
  }),
  output: z.object({
    group: z.string(),
    looked: z.number(),
    letters: z.number(),
    moving: z.number(),
    examples: z.array(z.string()),
  }),
  async run(office, { id, into, when }) {
    if ((into === null) === (when === null)) {
      throw new OfficeError("INVALID_OPTION", "Give either `into`, the group to merge with, or `when`, for a split.");
    }
    const preview =
      into === null ? await previewSplit(office, { id, when: when ?? "" }) : await previewMerge(office, { id, into });
    return { ...preview, examples: [...preview.examples] };
  },
});

export const listGroupChanges = operation({
  name: "groups.history",
  summary: "what was merged, split and taken back, newest first",
  role: "viewer",
  input: z.object({ group: z.string().nullable().default(null), limit: z.int().min(1).max(200).default(50) }),
  output: z.object({
    items: z.array(groupChange.extend({ inForce: z.boolean() })),
    /** Letters that came before the last change have not all followed it yet. */
    isMoving: z.boolean(),
    next: z.null(),
  }),
  async run({ ledger }, { group, limit }) {
    const about = group === null ? null : uuidOf(readId("group", group));
    const changes = await readGroupChanges(ledger, ledger.database);
    const inForce = new Set(changesInForce(changes).map(({ version }) => version));
    const items = changes
      .filter((change) => about === null || change.group === about || change.into === about)
      .map((change) => ({ ...shown(change), inForce: inForce.has(change.version) }));
    const { version, placedVersion } = await readRegrouping(ledger);
    return { items: items.reverse().slice(0, limit), isMoving: placedVersion < version, next: null };
  },
});
