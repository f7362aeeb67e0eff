import { z } from "zod";
import { OfficeError } from "../../domain/errors.ts";
import { readId } from "../../domain/ids.ts";
import {
  type EditRequest,
  makeEdit,
  openDraft,
  previewEdit,
  type ShownEdit,
  type ShownRevision,
} from "../edit/edit-letter.ts";
import { refusing } from "../edit/edit-refused.ts";
import { parsePatch } from "../edit/patch-json.ts";
import { operation } from "./operation.ts";
import { wholeNumber } from "./whole-number.ts";

const text = z.string().nullable();

/** What an edit changes, by place and by line; masked. */
export const changesShape = z.object({
  changes: z.array(z.object({ path: z.string(), before: text, after: text })).nullable(),
  moreChanges: z.number(),
  lines: z.array(z.object({ sign: z.enum([" ", "-", "+"]), text: z.string() })).nullable(),
  moreLines: z.number(),
  /** Headers that change; null: it is not there. */
  headers: z.array(z.object({ name: z.string(), before: text, after: text })),
  findings: z.array(z.string()),
});

const editShape = changesShape.extend({
  revision: z.number(),
  by: z.string(),
  at: z.string(),
  reason: z.string(),
  /** The replay whose patch made it; null where somebody edited this letter. */
  replay: text,
  sha256: z.string(),
});

const editInput = {
  id: z.string(),
  /** The revision it begins from, as `edits.list` gave it. */
  from: wholeNumber(),
  /** A JSON Patch (RFC 6902), as text: numbers in it keep every digit. */
  patch: z.string().optional(),
  /** The text of `edits.list`, masks and all, as it should be. */
  text: z.string().optional(),
  /** Another body altogether, in base 64. */
  bodyBase64: z.base64().optional(),
  /** Back to the bytes it came with. */
  original: z.literal(true).optional(),
  /** Headers to put in the place of those of the same name, to go without (null), or to give back as they came (restore); all others stay as they are. */
  headers: z
    .array(
      z.union([
        z.strictObject({ name: z.string().min(1).max(300), value: text }),
        z.strictObject({ name: z.string().min(1).max(300), restore: z.literal(true) }),
      ]),
    )
    .max(100)
    .default([]),
};

export const listEdits = operation({
  name: "edits.list",
  summary: "what a letter would be sent as now, and what was made of it so far",
  role: "viewer",
  input: z.object({ id: z.string() }),
  output: z.object({
    revision: z.number(),
    format: z.enum(["json", "text", "binary", "missing", "too_large"]),
    text,
    masked: z.boolean(),
    bytes: z.number(),
    /** What it came with and would go with, masked; those that are locked no edit changes. */
    headers: z.array(z.object({ name: z.string(), came: text, value: text, locked: text, careful: text })),
    edits: z.array(editShape),
  }),
  async run(office, { id }) {
    const { edits, headers, ...draft } = await openDraft(office.replay, readId("letter", id));
    return { ...draft, headers: [...headers], edits: edits.map(shownEdit) };
  },
});

export const previewLetterEdit = operation({
  name: "edits.preview",
  summary: "what an edit would change, by place and by line; nothing is kept",
  role: "operator",
  input: z.object(editInput),
  output: changesShape,
  run: async (office, input) => shownChanges(await previewEdit(office.replay, requestOf(input))),
});

export const editLetter = operation({
  name: "edits.make",
  summary:
    "puts another body or other headers in the place of a letter's, as its next revision; the original stays, and nothing is sent",
  role: "operator",
  input: z.object({ ...editInput, reason: z.string() }),
  output: editShape,
  async run(office, { reason, ...input }, actor) {
    return shownEdit(await makeEdit(office.replay, actor, { ...requestOf(input), reason }));
  },
});

type Input = z.output<z.ZodObject<typeof editInput>>;

function requestOf({ id, from, headers, ...given }: Input): EditRequest {
  const ways = changesIn(given);
  const [change = null] = ways;
  if (ways.length > 1 || (change === null && headers.length === 0)) {
    throw new OfficeError(
      "INVALID_OPTION",
      "Say how to edit it, in one way: patch, text, body or original; or headers.",
    );
  }
  return { letter: readId("letter", id), from, change, headers };
}

function changesIn({
  patch,
  text: edited,
  bodyBase64,
  original,
}: Omit<Input, "id" | "from" | "headers">): NonNullable<EditRequest["change"]>[] {
  return [
    ...(patch === undefined ? [] : [{ kind: "patch" as const, steps: refusing(() => parsePatch(patch)) }]),
    ...(edited === undefined ? [] : [{ kind: "text" as const, text: edited }]),
    ...(bodyBase64 === undefined ? [] : [{ kind: "body" as const, body: Buffer.from(bodyBase64, "base64") }]),
    ...(original === undefined ? [] : [{ kind: "original" as const }]),
  ];
}

function shownEdit(edit: ShownEdit): z.input<typeof editShape> {
  return { ...edit, ...shownChanges(edit) };
}

/** As the doors give it: lists of their own. */
export function shownChanges({
  changes,
  lines,
  headers,
  findings,
  ...more
}: ShownRevision): z.input<typeof changesShape> {
  return {
    ...{ moreChanges: more.moreChanges, moreLines: more.moreLines, findings: [...findings] },
    headers: headers.map((header) => ({ ...header })),
    changes: changes === null ? null : changes.map((change) => ({ ...change })),
    lines: lines === null ? null : lines.map((line) => ({ ...line })),
  };
}
