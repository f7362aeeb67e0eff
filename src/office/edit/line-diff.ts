/** One line of a textual diff. */
export interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** Lines kept around what changed. */
const contextLines = 3;
/** Beyond this many comparisons all of the middle is shown as gone and come: nobody reads such a diff line by line. */
const mostComparisons = 1_000_000;

/** What changed between two texts, by the line, with a few lines around it. Empty when nothing did. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const head = commonLength(old, fresh);
  const tail = commonLength(old.slice(head).reverse(), fresh.slice(head).reverse());
  const [gone, come] = [old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)];
  if (gone.length === 0 && come.length === 0) return [];
  const around = (lines: readonly string[]) => lines.map((text): DiffLine => ({ sign: " ", text }));
  return [
    ...around(old.slice(Math.max(0, head - contextLines), head)),
    ...middle(gone, come),
    ...around(old.slice(old.length - tail, old.length - tail + contextLines)),
  ];
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((line, index) => line !== other[index]);
  return differs === -1 ? one.length : differs;
}

function middle(gone: readonly string[], come: readonly string[]): readonly DiffLine[] {
  const lengths = gone.length * come.length <= mostComparisons ? commonLengths(gone, come) : null;
  const lines: DiffLine[] = [];
  let [left, right] = [0, 0];
  while (left < gone.length || right < come.length) {
    const [old, fresh] = [gone[left], come[right]];
    if (old !== undefined && old === fresh && lengths !== null) {
      lines.push({ sign: " ", text: old });
      left += 1;
      right += 1;
    } else if (old !== undefined && (fresh === undefined || goesFirst(lengths, left, right))) {
      lines.push({ sign: "-", text: old });
      left += 1;
    } else {
      lines.push({ sign: "+", text: fresh ?? "" });
      right += 1;
    }
  }
  return lines;
}

function goesFirst(lengths: readonly Uint32Array[] | null, left: number, right: number): boolean {
  return lengths === null || (lengths[left + 1]?.[right] ?? 0) >= (lengths[left]?.[right + 1] ?? 0);
}

/** How many lines the rests from each pair of places have in common, in order. */
function commonLengths(gone: readonly string[], come: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: gone.length + 1 }, () => new Uint32Array(come.length + 1));
  for (let left = gone.length - 1; left >= 0; left--) {
    const [row, below] = [lengths[left], lengths[left + 1]];
    if (row === undefined || below === undefined) continue;
    for (let right = come.length - 1; right >= 0; right--) {
      row[right] =
        gone[left] === come[right] ? (below[right + 1] ?? 0) + 1 : Math.max(below[right] ?? 0, row[right + 1] ?? 0);
    }
  }
  return lengths;
}
