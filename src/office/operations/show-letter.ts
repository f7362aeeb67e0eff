import type { z } from "zod";
import type { BodyStore, FoundBody } from "../../domain/body-store.ts";
import type { LetterReading, ReplayRoute } from "../../domain/dead-letter.ts";
import { hexOf, readId, showId } from "../../domain/ids.ts";
import { maskPayload } from "../../domain/mask-json.ts";
import { longestFinding } from "../../domain/mask-long-text.ts";
import type { Header } from "../../domain/message.ts";
import { type Masking, maskHeaders, maskText } from "../../domain/redaction.ts";
import { parseSchemaName } from "../../domain/schema-name.ts";
import { showHeaderValue } from "../../domain/show-header.ts";
import { textOf } from "../../domain/text-of.ts";
import { lastDecision } from "../../ledger/last-decision.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { probableRepeats, repeatedFailures } from "../../ledger/repeats.ts";
import { letterTagHistory, letterTags } from "../../ledger/search/letter-tags.ts";
import type { PastReturn, WholeLetter } from "../../ledger/search/read-letter.ts";
import { bodyNotice, bodyOf } from "../stored-body.ts";
import { attemptRows } from "./attempt-rows.ts";
import type { wholeLetter } from "./letter-shapes.ts";

/** More than this is for a download, not for a screen. */
const shownBytes = 1_048_576;

/** So many of their first bytes are looked at to show how larger ones begin. */
const begunBytes = 65_536;

/** For whoever has the right to see it all. */
export const nothingMasked: Masking = { paths: [], detectors: "none" };

interface Showing {
  readonly ledger: Ledger;
  readonly masking: Masking;
  readonly bodies: BodyStore | null;
}

/** A letter as people may see it: secrets and personal data taken out of everything. */
export async function showLetter(
  letter: WholeLetter,
  { ledger, masking, bodies }: Showing,
): Promise<z.input<typeof wholeLetter>> {
  const { summary, classifications, attempts, bodyRef, sha256, returns } = letter;
  const { headers, properties, stack, reading } = lastDeath(letter);
  const found = await bodyOf(letter, bodies);
  const body = found?.kind === "here" ? found.bytes : null;
  const plain = body === null || body.byteLength > shownBytes ? null : textOf(body);
  const kind = kindOf(found, plain);
  const shown = plain === null ? null : maskPayload(plain, masking);
  const beginning = body === null || kind !== "too_large" ? null : maskedBeginning(body, masking);
  const hides = masking.detectors === "default";
  const masked = (unmasked: unknown) => (hides ? maskedReading(unmasked) : unmasked);
  const said = masked(reading);
  const deaths = returns.map((each) => ({ ...each, reading: masked(each.reading) }));
  return {
    ...summary,
    why: classifications.at(-1)?.why ?? "",
    tags: [...(await letterTags(ledger, summary))],
    stack: stack !== null && hides ? maskText(stack) : stack,
    body: {
      ...{ kind, text: shown, beginning, bytes: summary.sizeBytes, sha256, masked: shown !== plain, ref: bodyRef },
      notice: bodyNotice(found, letter, bodies),
    },
    headers: maskHeaders(headers, masking).map(shownHeader),
    properties: maskHeaders(properties, masking).map(shownHeader),
    ...saidOf(said),
    schema: { ...parseSchemaName(summary.type) },
    enqueuedAt: letter.enqueuedAt,
    position: letter.position,
    keys: [...letter.keys],
    cut: letter.cut === null ? null : { ...letter.cut },
    reading: said,
    ...(await repeatsOf(ledger, readId("letter", summary.id))),
    decision: await lastDecision(ledger, summary),
    classifications: classifications.map((each) => ({ ...each })),
    attemptLog: attemptRows(returns.length === 0 ? said : masked(letter.reading), summary, deaths),
    history: attempts.map((each) => ({ ...each })),
    tagHistory: (await letterTagHistory(ledger, summary)).map((each) => ({ ...each, tags: [...each.tags] })),
  };
}

/** A letter that came back is shown as it died last. Its body is the one that it had on arrival, or was edited to. */
function lastDeath({ headers, properties, stack, reading, returns }: WholeLetter): Omit<PastReturn, "replay"> {
  return returns.at(-1) ?? { headers, properties, stack, reading };
}

/** Without its end: what must not be shown may go on behind it, and half of it could not be told. Null for what is no text. */
function maskedBeginning(body: Uint8Array, masking: Masking): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body.subarray(0, begunBytes), {
      stream: true,
    });
    return maskPayload(text, masking).slice(0, -longestFinding);
  } catch {
    return null;
  }
}

/** What is known of its failure having left two dead letters. */
async function repeatsOf(ledger: Ledger, id: Uint8Array) {
  const [probable, repeats] = await Promise.all([probableRepeats(ledger, [id]), repeatedFailures(ledger, id)]);
  const other = probable.get(hexOf(id));
  return {
    repeatOf: other === undefined ? null : showId("letter", other),
    repeats: repeats.map((each) => ({ ...each })),
  };
}

function maskedReading(reading: unknown): unknown {
  const masked = JSON.stringify(reading, (_name, value: unknown) =>
    typeof value === "string" ? maskText(value) : value,
  );
  return JSON.parse(masked) as unknown;
}

interface Said
  extends Partial<Pick<LetterReading, "contentType" | "handler" | "consumerVersion" | "host" | "process">> {
  readonly partition?: number | null;
  /** As text: JSON has no number for it. */
  readonly offset?: string | null;
  readonly position?: string | null;
  readonly replay?: Partial<Pick<ReplayRoute, "destination" | "via">>;
}

/** Letters that an older version took in say less. */
function saidOf(reading: unknown) {
  const { contentType = null, handler = null, replay = {}, ...place } = (reading ?? {}) as Said;
  const { partition = null, offset = null, position = null } = place;
  const { consumerVersion = null, host = null, process = null } = place;
  return {
    ...{ contentType, handler, consumerVersion, host, process, cameFrom: { partition, offset, position } },
    ...{ destination: replay.destination ?? null, cameBy: replay.via ?? null },
  };
}

function kindOf(found: FoundBody | null, text: string | null): z.output<typeof wholeLetter>["body"]["kind"] {
  if (text !== null) return "text";
  if (found === null) return "missing";
  if (found.kind !== "here") return found.kind;
  return found.bytes.byteLength > shownBytes ? "too_large" : "bytes";
}

function shownHeader({ name, value }: Header): [string, string, string] {
  return [name, value.type, showHeaderValue(value)];
}
