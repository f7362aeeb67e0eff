import { createHash } from "node:crypto";
import type { Actor } from "../../domain/actor.ts";
import type { SchemaSubject } from "../../domain/body-schema.ts";
import { OfficeError } from "../../domain/errors.ts";
import { hexOf, showId } from "../../domain/ids.ts";
import { maskPayload } from "../../domain/mask-json.ts";
import type { Masking } from "../../domain/redaction.ts";
import { textOf } from "../../domain/text-of.ts";
import { recordAction } from "../../ledger/audit.ts";
import { type Edit, holdState, insertEdits, readEdits } from "../../ledger/edits.ts";
import { readCandidates } from "../../ledger/read-candidates.ts";
import { openLetter } from "../open-letter.ts";
import { requireReason } from "../replay/change-replay.ts";
import type { ReplayParts } from "../replay/replay-parts.ts";
import { EditRefused, refusing } from "./edit-refused.ts";
import { requireSchema } from "./require-schema.ts";
import { type Change, isJson, revise } from "./revise.ts";
import { type ShownChanges, showChanges } from "./show-changes.ts";

export type EditParts = Pick<ReplayParts, "ledger" | "host" | "read" | "bodies" | "schemaFor">;

/** A letter as an edit begins: its original payload, what was made of it so far, and what would be sent now. */
export interface Draft {
  readonly letter: Uint8Array;
  readonly original: Uint8Array | null;
  readonly edits: readonly Edit[];
  readonly revision: number;
  readonly body: Uint8Array | null;
  /** Which letters' schema is its own. */
  readonly subject: SchemaSubject;
}

export interface ShownDraft {
  /** The one an edit made now begins from; 0 is the original. */
  readonly revision: number;
  readonly format: "json" | "text" | "binary" | "missing";
  /** Masked; null for what is no text. */
  readonly text: string | null;
  readonly masked: boolean;
  readonly bytes: number;
  readonly edits: readonly ShownEdit[];
}

export interface ShownEdit extends ShownChanges {
  readonly revision: number;
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  /** The replay whose patch made it. */
  readonly replay: string | null;
  readonly sha256: string;
}

export interface EditRequest {
  readonly letter: Uint8Array;
  /** The revision it began from: one that is not the latest any more is refused, and nothing of either is lost. */
  readonly from: number;
  readonly change: Change | { readonly kind: "original" };
}

/** What would be sent now, and what was made of the letter so far. */
export async function openDraft(parts: EditParts, letter: Uint8Array): Promise<ShownDraft> {
  const { revision, body, original, edits } = await draftOf(parts, letter);
  const text = body === null ? null : textOf(body);
  const shown = text === null ? null : maskPayload(text, parts.ledger.masking);
  return {
    ...{ revision, format: formatOf(body, text), text: shown, masked: shown !== text, bytes: body?.byteLength ?? 0 },
    edits: edits.map((edit, index) => shownEdit(edit, edits[index - 1]?.body ?? original, parts.ledger.masking)),
  };
}

/** What an edit would change, without keeping it. */
export async function previewEdit(parts: EditParts, request: EditRequest): Promise<ShownChanges> {
  const draft = await draftOf(parts, request.letter);
  requireLatest(parts, draft, request.from);
  return showChanges(draft.body, await revisedBody(parts, draft, request), parts.ledger.masking);
}

export interface EditOrder extends EditRequest {
  readonly reason: string;
}

/** Keeps an edit as the letter's next revision, which the next plan takes. Nothing is sent. */
export async function makeEdit(parts: EditParts, actor: Actor, order: EditOrder): Promise<ShownEdit> {
  const { ledger, host } = parts;
  const { letter, reason } = order;
  requireReason(reason, "an edit");
  const draft = await draftOf(parts, letter);
  requireLatest(parts, draft, order.from);
  const body = await revisedBody(parts, draft, order);
  const sha256 = createHash("sha256").update(body).digest();
  const edit = { letterId: letter, revision: draft.revision + 1, body, by: actor.id, reason, replay: null };
  const isMade = await ledger.database.transaction(async (transaction) => {
    requireEditable(await holdState(ledger, transaction, letter));
    if ((await insertEdits(ledger, transaction, [{ ...edit, sha256 }])) === 0) return false;
    const told = { letter: showId("letter", letter), revision: edit.revision, sha256: hexOf(sha256), reason };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action: "letter.edited", details: told });
    return true;
  });
  if (!isMade) requireLatest(parts, await draftOf(parts, letter), order.from);
  return shownEdit({ ...edit, at: host.clock.now() }, draft.body, ledger.masking);
}

export async function draftOf(parts: EditParts, letter: Uint8Array): Promise<Draft> {
  const { ledger } = parts;
  const [candidate] = await readCandidates(ledger, [letter]);
  if (candidate === undefined) {
    throw new OfficeError(
      "LETTER_NOT_FOUND",
      `There is no letter ${showId("letter", letter)}. It may be older than retention.`,
    );
  }
  const { payload, reading } = await openLetter(parts, candidate);
  const original = candidate.cutTo === null ? payload : null;
  const edits = await readEdits(ledger, ledger.database, letter);
  const latest = edits.at(-1);
  const subject = { queue: candidate.queue, type: reading.schema };
  return { letter, original, edits, revision: latest?.revision ?? 0, body: latest?.body ?? original, subject };
}

async function revisedBody(parts: EditParts, draft: Draft, { change }: EditRequest): Promise<Uint8Array> {
  // The bytes it came with need nobody's leave.
  const schema = change.kind === "original" ? null : await parts.schemaFor(draft.subject);
  return refusing(() => {
    if (change.kind !== "original") {
      const { body } = revise(draft.body, change, parts.ledger.masking);
      requireSchema(schema, body);
      return body;
    }
    if (draft.original !== null && draft.revision > 0) return draft.original;
    throw new EditRefused("edit.nothing_changed", "It was never edited, or its original is not here.");
  });
}

/** Whoever edited first is shown with what they did; whoever comes second still has what they wrote. */
function requireLatest(
  { ledger: { masking } }: EditParts,
  { letter, edits, revision, original }: Draft,
  from: number,
): void {
  if (from === revision) return;
  const latest = edits.at(-1);
  if (latest === undefined || from > revision) {
    throw new OfficeError("INVALID_OPTION", `There is no revision ${from} of this letter; the latest is ${revision}.`);
  }
  const theirs = shownEdit(latest, edits.at(-2)?.body ?? original, masking);
  throw new OfficeError(
    "EDIT_CONFLICT",
    `${latest.by} has edited ${showId("letter", letter)} meanwhile: it is revision ${revision}, and yours began from ${from}. Nothing was changed; look at theirs and edit that.`,
    { details: { from, revision, theirs } },
  );
}

/** A letter that is on its way, or decided about, is not what somebody sees who edits it. */
function requireEditable(state: string | null): void {
  if (state === "open" || state === "returned" || state === "escalated") return;
  const text = `This letter is ${(state ?? "gone").replace("_", " ")}, so an edit would change nothing. Nothing was kept; look at what became of it.`;
  throw new OfficeError("LETTER_DECIDED", text, { details: { state } });
}

function shownEdit(edit: Edit, before: Uint8Array | null, masking: Masking): ShownEdit {
  const { revision, by, at, reason, replay, body } = edit;
  return {
    ...{ revision, by, at: new Date(at).toISOString(), reason },
    replay: replay === null ? null : showId("replay", replay),
    sha256: createHash("sha256").update(body).digest("hex"),
    ...showChanges(before, body, masking),
  };
}

function formatOf(body: Uint8Array | null, text: string | null): ShownDraft["format"] {
  if (body === null) return "missing";
  if (text === null) return "binary";
  return isJson(text) ? "json" : "text";
}
