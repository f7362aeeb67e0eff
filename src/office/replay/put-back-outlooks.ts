import type { ReturnOutlook } from "../../sources/return-outlook.ts";
import type { RevisedLetter } from "../edit/revise-letter.ts";
import type { OpenedLetter } from "../open-letter.ts";
import type { PutBackFacts } from "./facts.ts";

/** What is put back is what is there, where it is: neither an edit nor another place can be. */
export function putBackFacts(
  outlook: ReturnOutlook | undefined,
  { revised, opened, named }: { revised: RevisedLetter; opened: OpenedLetter; named: string | null },
): PutBackFacts | null {
  if (outlook === undefined || outlook.kind === "moved") return outlook ?? null;
  if (revised.revision > 0) return { kind: "changed", by: "edit" };
  return named === null || named === opened.reading.replay.destination ? outlook : { kind: "changed", by: "redirect" };
}
