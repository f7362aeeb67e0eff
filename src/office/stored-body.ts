import { type BodyStore, type FoundBody, findBody, hashInRef } from "../domain/body-store.ts";
import type { WholeLetter } from "../ledger/search/read-letter.ts";
import { minuteOf } from "./gates/gate-words.ts";

/** The body of a letter, wherever it is kept; null where it was never had. */
export async function bodyOf(
  { body, bodyRef }: Pick<WholeLetter, "body" | "bodyRef">,
  bodies: BodyStore | null,
): Promise<FoundBody | null> {
  if (body !== null) return { kind: "here", bytes: body };
  return bodyRef === null ? null : findBody(bodies, bodyRef);
}

/** Why the body of a letter is not here, in words, and what to do; null where it is. */
export function bodyNotice(
  found: FoundBody | null,
  { summary, bodyRef, bodyPlace }: Pick<WholeLetter, "bodyRef" | "bodyPlace" | "summary">,
  bodies: BodyStore | null,
): string | null {
  if (found === null) return "Its body was never kept: the source that the letter came from did not have it.";
  if (found.kind === "here") return null;
  if (found.kind === "unavailable") return `Its body can't be read now; all else is from the database. ${found.why}`;
  // A body is stored right before its letter.
  const stored = `Its body was stored on ${minuteOf(Date.parse(summary.arrivedAt))}`;
  const soughtAs = bodyRef === null ? null : (bodies?.placeOf?.(hashInRef(bodyRef)) ?? null);
  if (bodyPlace !== null && soughtAs !== null && bodyPlace !== soughtAs)
    return `${stored} as ${bodyPlace}, and is looked for as ${soughtAs}, where it is not. Move it there, or name its old place in \`ledger.bodies\`.`;
  const as = bodyPlace === null ? "" : ` as ${bodyPlace}`;
  const where = bodyPlace === null && soughtAs !== null ? ` It is looked for as ${soughtAs}.` : "";
  return `${stored}${as}, and was deleted since, not by this server.${where} Restore it from a version or a backup of that store; until then the letter can't be replayed.`;
}
