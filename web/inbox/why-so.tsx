import { CategoryChip } from "../ui/category-chip.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import type { Group } from "./group-steps.tsx";

/** Why its letters are what they are; where not all are so for one reason, how many for which. */
export function WhySo({ group: { reasons, looked, category: called } }: { readonly group: Group }) {
  const [only, ...others] = reasons;
  if (only === undefined) return null;
  if (others.length === 0 && only.category === called) return <p>{only.sentence}</p>;
  return (
    <>
      <p>Of the latest {showLetters(looked)}:</p>
      <ul className="names">
        {reasons.map(({ category, rule, n, sentence }) => (
          <li key={`${category} ${rule}`}>
            {showCount(n)} <CategoryChip category={category} /> {sentence}
          </li>
        ))}
      </ul>
    </>
  );
}
