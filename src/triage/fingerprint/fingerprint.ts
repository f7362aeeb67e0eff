import { hash } from "node:crypto";
import type { FailureEvidence, Fingerprint, FingerprintPart } from "../../domain/classification.ts";
import { memo } from "../../domain/memo.ts";
import { failurePlace } from "./failure-place.ts";
import { messageTemplate } from "./message-template.ts";

/**
 * Which failures count as the same, and by what.
 *
 * It is made of the failure alone: class, code, message without what belongs to the letter, innermost cause, and the
 * function it failed in. Files, lines, hosts and versions have no part in it, so a deploy does not make new groups.
 */
export function fingerprint(evidence: FailureEvidence): Fingerprint {
  const parts = partsOf(evidence);
  const text = parts.map(({ name, value }) => `${name}=${value}`).join("\n");
  return { id: idOf(text), parts };
}

/** Failures are few beside their letters. */
const idOf = memo((text) => hash("sha256", text).slice(0, 16), { longest: 1_024 });

function partsOf({ errorClass, code, httpStatus, message, stack }: FailureEvidence): FingerprintPart[] {
  const candidates: readonly [FingerprintPart["name"], string | null][] = [
    ["class", errorClass === null ? null : plainClass(errorClass)],
    ["code", plainCode(code, httpStatus)],
    ["message", message === null ? null : messageTemplate(message)],
    ["cause", innermostCause(stack)],
    ["place", failurePlace(stack)],
  ];
  return candidates.flatMap(([name, value]) => (value === null || value === "" ? [] : [{ name, value }]));
}

/** Anonymous and generated classes are numbered anew by each build. */
const plainClass = memo((name) => name.replaceAll(/\$\$Lambda.*$|@[0-9a-f]{4,}|0x[0-9a-f]+|\$\d+/gi, "").trim());

/** A code longer than any system's is an id that went astray. */
function plainCode(code: string | null, httpStatus: number | null): string | null {
  if (code !== null && code !== "" && code.length <= 80 && !/[0-9a-f]{8}-[0-9a-f]{4}-/i.test(code)) return code;
  return httpStatus === null ? null : `HTTP ${httpStatus}`;
}

function innermostCause(stack: readonly string[]): string | null {
  const line = stack.findLast((candidate) => /^\s*(?:Caused by:|--->|\[cause\]:)/.test(candidate));
  return line === undefined ? null : messageTemplate(line.replace(/^\s*(?:Caused by:|--->|\[cause\]:)\s*/, ""));
}
