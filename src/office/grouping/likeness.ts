/** A letter by the names of what can be compared, such as `tenant` or `header.x-region`. */
export type ComparedLetter = ReadonlyMap<string, string>;

export interface CommonValue {
  readonly value: string;
  /** Letters that have it. */
  readonly n: number;
  /** Of the letters looked at, 0 to 1. */
  readonly share: number;
  /** Of the other letters of the queue, 0 to 1; null where there are none. */
  readonly elsewhere: number | null;
}

export interface CommonField {
  readonly field: string;
  /** "same": one value on all. "mostly": one on most, and much rarer elsewhere. "differs": anything else. */
  readonly kind: "same" | "mostly" | "differs";
  /** It tells these letters from the others of their queue. */
  readonly isTelling: boolean;
  readonly distinct: number;
  /** Those that most letters have. */
  readonly values: readonly CommonValue[];
}

/** So much more often than elsewhere is no chance. */
const tellingBy = 0.25;
/** What fewer letters share is as likely what only they have, as an id is. */
const tellingFrom = 5;
const valuesShown = 5;

/** What letters share and where they differ, what tells them from the others first. */
export function inCommon(
  letters: readonly ComparedLetter[],
  others: readonly ComparedLetter[],
): readonly CommonField[] {
  const counts = countsOf(letters);
  const elsewhere = countsOf(others);
  const fields = [...counts].map(([field, values]): CommonField => {
    const ranked = [...values].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
    const shown = ranked.slice(0, valuesShown).map(([value, n]): CommonValue => {
      const there = others.length === 0 ? null : (elsewhere.get(field)?.get(value) ?? 0) / others.length;
      return { value, n, share: n / letters.length, elsewhere: there };
    });
    return { field, distinct: values.size, values: shown, ...judged(shown[0], values.size) };
  });
  return fields.sort(
    (one, other) => order(one) - order(other) || one.distinct - other.distinct || (one.field < other.field ? -1 : 1),
  );
}

function judged(first: CommonValue | undefined, distinct: number): Pick<CommonField, "kind" | "isTelling"> {
  const { n = 0, share = 0, elsewhere = null } = first ?? {};
  const isTelling = elsewhere !== null && n >= tellingFrom && share >= 0.5 && share - elsewhere >= tellingBy;
  if (distinct === 1 && share === 1) return { kind: "same", isTelling };
  return { kind: isTelling ? "mostly" : "differs", isTelling };
}

/** Telling ones by how much they tell, then what all share, then the rest. */
function order({ isTelling, kind, values: [first] }: CommonField): number {
  if (isTelling) return (first?.elsewhere ?? 0) - (first?.share ?? 0);
  return kind === "same" ? 1 : 2;
}

function countsOf(letters: readonly ComparedLetter[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const counts = new Map<string, Map<string, number>>();
  for (const letter of letters) {
    for (const [field, value] of letter) {
      const values = counts.get(field) ?? new Map<string, number>();
      values.set(value, (values.get(value) ?? 0) + 1);
      counts.set(field, values);
    }
  }
  return counts;
}
