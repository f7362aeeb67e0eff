import { z } from "zod";
import type { BodyStore } from "../../domain/body-store.ts";
import { type Clock, pause } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { maskInSteps } from "../../domain/mask-json.ts";
import type { Masking } from "../../domain/redaction.ts";
import { stepByStep } from "../../domain/steps.ts";
import { textOf } from "../../domain/text-of.ts";
import { recordAction } from "../../ledger/audit.ts";
import { readLetter, type WholeLetter } from "../../ledger/search/read-letter.ts";
import { bodyNotice, bodyOf } from "../stored-body.ts";
import { operation } from "./operation.ts";
import { nothingMasked } from "./show-letter.ts";

export const letterBody = operation({
  name: "letters.body",
  summary: "the body of one letter as a file, masked; as it is with the right and a reason",
  role: "viewer",
  isScoped: true,
  isSecret: true,
  reveals: ({ unmaskedBecause }) => unmaskedBecause !== null,
  input: z.object({
    id: z.string(),
    /** Why it is wanted as it is: goes to the audit log. Null gives it masked. */
    unmaskedBecause: z.string().trim().min(3).max(500).nullable().default(null),
  }),
  output: z.object({ name: z.string(), base64: z.string(), bytes: z.number(), masked: z.boolean() }),
  asFile: ({ name, base64 }) => ({ name, base64 }),
  async run({ ledger, bodies, masking, clock }, { id, unmaskedBecause: reason }, actor) {
    const letter = await readLetter(ledger, id);
    // Before it is read: it may be large, and elsewhere.
    if (reason === null && isMasking(masking)) requireMaskable(id, letter.summary.sizeBytes);
    const whole = await wholeBody(letter, bodies);
    if (reason !== null) {
      // Before it is given: what cannot be written down must not be seen.
      const details = { letter: id, source: letter.summary.source, queue: letter.summary.queue, reason };
      await recordAction(ledger, ledger.database, { at: clock.now(), actor, action: "letters.revealed", details });
    }
    const text = textOf(whole);
    const shown = reason === null ? await maskedBody(whole, text, { masking, clock }, id) : whole;
    return {
      ...{ name: `${id}.${extensionOf(text)}`, base64: Buffer.from(shown).toString("base64") },
      ...{ bytes: shown.byteLength, masked: shown !== whole },
    };
  },
});

async function wholeBody(letter: WholeLetter, bodies: BodyStore | null): Promise<Uint8Array> {
  const { id, arrivedAt } = letter.summary;
  const found = await bodyOf(letter, bodies);
  if (found?.kind === "here") return found.bytes;
  const sentence = `${id} is not shown. ${bodyNotice(found, letter, bodies) ?? ""}`;
  if (found?.kind === "unavailable")
    throw new OfficeError("STORE_UNAVAILABLE", sentence, { details: { id, retryAfterS: 10 } });
  const details = {
    id,
    because: found === null ? "missing" : "deleted",
    storedAs: letter.bodyPlace,
    storedAt: arrivedAt,
  };
  throw new OfficeError("BODY_NOT_SHOWN", sentence, {
    details: { ...details, hint: "Its headers and its error are on its page." },
  });
}

/** Masked in steps, between which everybody else has their turn; this much takes seconds of it, and an answer must end. */
const maskedBytes = 134_217_728;

function requireMaskable(id: string, bytes: number): void {
  if (bytes <= maskedBytes) return;
  throw new OfficeError("BODY_NOT_SHOWN", `The body of ${id} has ${bytes} bytes, too many to be masked.`, {
    details: { id, because: "too_large", hint: "Say why you need it as it is; that takes a role that reveals." },
  });
}

function isMasking({ paths, detectors }: Masking): boolean {
  return paths.length > 0 || detectors !== nothingMasked.detectors;
}

async function maskedBody(
  whole: Uint8Array,
  text: string | null,
  { masking, clock }: { readonly masking: Masking; readonly clock: Clock },
  id: string,
): Promise<Uint8Array> {
  if (!isMasking(masking)) return whole;
  requireMaskable(id, whole.byteLength);
  if (text === null) {
    throw new OfficeError("BODY_NOT_SHOWN", `The body of ${id} is no text, so nothing can be masked in it.`, {
      details: { id, because: "not_text", hint: "Say why you need it as it is; that takes a role that reveals." },
    });
  }
  const masked = await stepByStep(maskInSteps(text, masking), () => pause(clock, 0));
  return masked === text ? whole : new TextEncoder().encode(masked);
}

/** Masking leaves the first bracket where it is. */
function extensionOf(text: string | null): "json" | "txt" | "bin" {
  if (text === null) return "bin";
  return /^\s*[[{]/.test(text) ? "json" : "txt";
}
