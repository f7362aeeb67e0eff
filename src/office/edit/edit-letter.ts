import { createHash } from "node:crypto";
import type { Actor } from "../../domain/actor.ts";
import type { SchemaSubject } from "../../domain/body-schema.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { HeaderChange } from "../../domain/header-changes.ts";
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
import type { Change } from "./body-change.ts";
import { EditRefused, refusing } from "./edit-refused.ts";
import { requireSchema } from "./require-schema.ts";
import { isJson, largestEdit, type Revision, revise } from "./revise.ts";
import {
  type AskedHeader,
  type DraftHeader,
  draftHeaders,
  headerFindings,
  type LetterHeaders,
  reviseHeaders,
  type ShownHeaderChange,
  showHeaderChanges,
} from "./revise-headers.ts";
import { type ShownChanges, showChanges } from "./show-changes.ts";

export type EditParts = Pick<ReplayParts, "ledger" | "host" | "read" | "bodies" | "schemaFor">;

/** A letter as an edit begins: its original payload, what was made of it so far, and what would be sent now. */
export interface Draft {
  readonly letter: Uint8Array;
  readonly original: Uint8Array | null;
  readonly edits: readonly Edit[];
  readonly revision: number;
  readonly body: Uint8Array | null;
  /** What it came with, beside its body. */
  readonly came: LetterHeaders;
  /** What its latest edit puts in the place of headers. */
  readonly headers: readonly HeaderChange[] | null;
  /** Which letters' schema is its own. */
  readonly subject: SchemaSubject;
}

export interface ShownDraft {
  /** The one an edit made now begins from; 0 is the original. */
  readonly revision: number;
  readonly format: "json" | "text" | "binary" | "missing" | "too_large";
  /** Masked; null for what is no text, or more than can be edited. */
  readonly text: string | null;
  readonly masked: boolean;
  readonly bytes: number;
  /** What it came with and would go with, masked. */
  readonly headers: readonly DraftHeader[];
  readonly edits: readonly ShownEdit[];
}

/** What an edit changes, as people may see it. */
export interface ShownRevision extends ShownChanges {
  readonly headers: readonly ShownHeaderChange[];
}

export interface ShownEdit extends ShownRevision {
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
  /** Null: the body stays as it is. */
  readonly change: Change | { readonly kind: "original" } | null;
  /** What is to become of headers; those not named stay as they are. @default [] */
  readonly headers?: readonly AskedHeader[];
}

/** What would be sent now, and what was made of the letter so far. */
export async function openDraft(parts: EditParts, letter: Uint8Array): Promise<ShownDraft> {
  const draft = await draftOf(parts, letter);
  const { revision, body, edits } = draft;
  const text = body === null || body.byteLength > largestEdit ? null : textOf(body);
  const shown = text === null ? null : maskPayload(text, parts.ledger.masking);
  return {
    ...{ revision, format: formatOf(body, text), text: shown, masked: shown !== text, bytes: body?.byteLength ?? 0 },
    headers: draftHeaders(draft.came, draft.headers, parts.ledger.masking),
    edits: edits.map((edit, index) => shownEdit(edit, before(draft, edits[index - 1]), parts.ledger.masking)),
  };
}

/** What an edit would change, without keeping it. */
export async function previewEdit(parts: EditParts, request: EditRequest): Promise<ShownRevision> {
  const draft = await draftOf(parts, request.letter);
  requireLatest(parts, draft, request.from);
  return showRevision(draft, await revised(parts, draft, request), parts.ledger.masking);
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
  const { body, headers, written = [] } = await revised(parts, draft, order);
  const sha256 = createHash("sha256").update(body).digest();
  const edit = { letterId: letter, revision: draft.revision + 1, body, headers, by: actor.id, reason, replay: null };
  const shown = shownEdit({ ...edit, at: host.clock.now(), written }, draft, ledger.masking);
  const isMade = await ledger.database.transaction(async (transaction) => {
    requireEditable(await holdState(ledger, transaction, letter));
    if ((await insertEdits(ledger, transaction, [{ ...edit, sha256 }])) === 0) return false;
    const names = shown.headers.length === 0 ? {} : { headers: shown.headers.map(({ name }) => name) };
    const told = { letter: showId("letter", letter), revision: edit.revision, sha256: hexOf(sha256), ...names, reason };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action: "letter.edited", details: told });
    return true;
  });
  if (!isMade) requireLatest(parts, await draftOf(parts, letter), order.from);
  return shown;
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
  return {
    ...{ letter, original, edits, revision: latest?.revision ?? 0, body: latest?.body ?? original },
    came: { headers: candidate.message.headers, strip: reading.replay.strip },
    headers: latest?.headers ?? null,
    subject: { queue: candidate.queue, type: reading.schema },
  };
}

interface Revised extends Pick<Edit, "body" | "headers"> {
  /** Masked places of the body that were given a value. */
  readonly written?: readonly string[];
}

/** What an edit makes of a letter, body and headers. */
async function revised(parts: EditParts, draft: Draft, { change, headers = [] }: EditRequest): Promise<Revised> {
  // The bytes it came with need nobody's leave.
  const isOriginal = change?.kind === "original";
  const schema = change === null || isOriginal ? null : await parts.schemaFor(draft.subject);
  return refusing(() => {
    const { body, written } = bodyOf(draft, change, parts.ledger.masking);
    if (schema !== null) requireSchema(schema, body);
    const own = reviseHeaders(
      draft.came,
      { before: isOriginal ? null : draft.headers, asked: headers },
      parts.ledger.masking,
    );
    if (change === null && JSON.stringify(own) === JSON.stringify(draft.headers)) {
      throw new EditRefused("edit.nothing_changed", "That is what its headers were: nothing would change.");
    }
    return { body, headers: own, written };
  });
}

function bodyOf(draft: Draft, change: EditRequest["change"], masking: Masking): Pick<Revision, "body" | "written"> {
  if (change === null) return { body: requireWhole(draft.body), written: [] };
  if (change.kind !== "original") return revise(draft.body, change, masking);
  if (draft.original !== null && draft.revision > 0) return { body: draft.original, written: [] };
  throw new EditRefused("edit.nothing_changed", "It was never edited, or its original is not here.");
}

/** An edit keeps the whole of what is sent: what is not here, or is large, is not copied for the sake of a header. */
function requireWhole(body: Uint8Array | null): Uint8Array {
  if (body === null) throw new EditRefused("edit.not_text", "Its body is not here: replace the whole body first.");
  if (body.byteLength <= largestEdit) return body;
  throw new EditRefused("edit.too_large", `It is ${body.byteLength} bytes; ${largestEdit} can be edited.`);
}

/** Whoever edited first is shown with what they did; whoever comes second still has what they wrote. */
function requireLatest({ ledger: { masking } }: EditParts, draft: Draft, from: number): void {
  const { letter, edits, revision } = draft;
  if (from === revision) return;
  const latest = edits.at(-1);
  if (latest === undefined || from > revision) {
    throw new OfficeError("INVALID_OPTION", `There is no revision ${from} of this letter; the latest is ${revision}.`);
  }
  const theirs = shownEdit(latest, before(draft, edits.at(-2)), masking);
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

type Before = Pick<Draft, "body" | "headers" | "came">;

/** What an edit was made of: the one before it, or what the letter came as. */
function before({ original, came }: Draft, edit: Edit | undefined): Before {
  return { body: edit?.body ?? original, headers: edit?.headers ?? null, came };
}

function shownEdit(edit: Edit & Revised, from: Before, masking: Masking): ShownEdit {
  const { revision, by, at, reason, replay, body } = edit;
  return {
    ...{ revision, by, at: new Date(at).toISOString(), reason },
    replay: replay === null ? null : showId("replay", replay),
    sha256: createHash("sha256").update(body).digest("hex"),
    ...showRevision(from, edit, masking),
  };
}

/** What a revision changes, body and headers. */
export function showRevision({ body, headers, came }: Before, made: Revised, masking: Masking): ShownRevision {
  const changed = showHeaderChanges(came.headers, { before: headers, after: made.headers }, masking);
  const shown = showChanges(body, made.body, masking, made.written);
  return {
    ...shown,
    headers: changed,
    findings: [...shown.findings, ...headerFindings(changed, came.headers, made.headers)],
  };
}

function formatOf(body: Uint8Array | null, text: string | null): ShownDraft["format"] {
  if (body === null) return "missing";
  if (body.byteLength > largestEdit) return "too_large";
  if (text === null) return "binary";
  return isJson(text) ? "json" : "text";
}
