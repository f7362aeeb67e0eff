import type { ReactNode } from "react";
import type { LetterColumn } from "../../src/domain/letter-columns.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { Age, Lasting, PastTtl } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { inWords, showBytes } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";

export type ListedLetter = OutputOf<"letters.list">["items"][number];

export const columnNames: Readonly<Record<LetterColumn, string>> = {
  ...{ state: "State", error: "Error", queue: "Queue", source: "Source", type: "Type", key: "Key", tenant: "Tenant" },
  ...{ consumer: "Consumer", was: "On arrival", attempts: "Attempts", replays: "Replays", size: "Size" },
  ...{ arrived: "Arrived", age: "Age" },
};

/** Figures, set right. */
const figures: readonly LetterColumn[] = ["attempts", "replays", "size", "arrived", "age"];

export function isFigure(column: LetterColumn): boolean {
  return figures.includes(column);
}

const usuallyUnlabelled: readonly LetterColumn[] = ["state", "error", "queue", "key"];

/** What a phone shows before the cell. */
export function labelOf(column: LetterColumn): string | undefined {
  return usuallyUnlabelled.includes(column) ? undefined : columnNames[column].toLowerCase();
}

export const letterCells: Readonly<Record<LetterColumn, (letter: ListedLetter) => ReactNode>> = {
  state: ({ state, expiresAt }) => (
    <>
      {inWords(state)} <PastTtl expiresAt={expiresAt} />
    </>
  ),
  error: (letter) => (
    <>
      <CategoryChip category={letter.category} />{" "}
      <Link to={pages.letter(letter.id)} row>
        {errorOf(letter)}
      </Link>
    </>
  ),
  queue: ({ queue }) => queue,
  source: ({ source }) => source,
  type: ({ type }) => type ?? "",
  key: ({ key }) => key ?? "",
  tenant: ({ tenant }) => tenant ?? "",
  consumer: ({ consumer }) => consumer ?? "",
  was: ({ was }) => <CategoryChip category={was} />,
  attempts: ({ attempts }) => attempts ?? "–",
  replays: ({ replays }) => replays,
  size: ({ sizeBytes }) => showBytes(sizeBytes),
  arrived: ({ arrivedAt }) => <Age since={arrivedAt} />,
  age: ({ failedAt }) => <Lasting since={failedAt} />,
};

/** In one line. */
export function errorOf({ errorClass, errorMessage }: Pick<ListedLetter, "errorClass" | "errorMessage">): string {
  return [errorClass, errorMessage].filter((part) => part !== null).join(": ") || "no error was given";
}
