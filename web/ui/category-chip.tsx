const marks: Readonly<Record<string, string>> = {
  transient: "T",
  schema_mismatch: "S",
  business_rule: "B",
  poison: "P",
  lost_context: "L",
  unknown: "?",
};

/** Letter, word and colour: nobody has to tell colours apart. */
export function CategoryChip({ category }: { readonly category: string }) {
  return (
    <span className={`chip ${category}`}>
      <b aria-hidden="true">{marks[category] ?? "?"}</b> {category.replace("_", " ")}
    </span>
  );
}
