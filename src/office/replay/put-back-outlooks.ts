import type { Candidate } from "../../ledger/read-candidates.ts";
import type { ReturnOutlook } from "../../sources/return-outlook.ts";
import type { RevisedLetter } from "../edit/revise-letter.ts";
import type { OpenedLetter } from "../open-letter.ts";
import type { PutBackFacts } from "./facts.ts";
import type { ReplayParts } from "./replay-parts.ts";

/** Of those that never left their place; each source is asked once. */
export async function putBackOutlooks(
  { outlooks }: ReplayParts,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, ReturnOutlook>> {
  const found = new Map<Candidate, ReturnOutlook>();
  for (const source of new Set(candidates.map((candidate) => candidate.source))) {
    const letters = candidates.filter((candidate) => candidate.source === source);
    const answers = await outlooks(source, letters);
    for (const [index, outlook] of (answers ?? []).entries()) {
      const letter = letters[index];
      if (letter !== undefined) found.set(letter, outlook);
    }
  }
  return found;
}

/** What is put back is what is there, where it is: neither an edit nor another place can be. */
export function putBackFacts(
  outlook: ReturnOutlook | undefined,
  { revised, opened, named }: { revised: RevisedLetter; opened: OpenedLetter; named: string | null },
): PutBackFacts | null {
  if (outlook === undefined || outlook.kind === "moved") return outlook ?? null;
  if (revised.revision > 0) return { kind: "changed", by: "edit" };
  return named === null || named === opened.reading.replay.destination ? outlook : { kind: "changed", by: "redirect" };
}
