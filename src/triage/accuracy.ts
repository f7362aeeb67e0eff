import type { Category, Classification } from "../domain/classification.ts";
import type { LabelledFailure } from "./labelled-failure.ts";

/** How well classifications agree with labels. */
export interface Accuracy {
  readonly failures: number;
  /** Labels that are no category, each once: those failures count as not labelled. */
  readonly unknownLabels: readonly string[];
  /** Failures with a label. */
  readonly labelled: number;
  readonly right: number;
  /** Called unknown though an expert would have known. */
  readonly abstained: number;
  /** Not transient but called so: what a bulk replay would do damage with. */
  readonly dangerous: number;
  readonly sideEffects: { readonly labelled: number; readonly right: number };
  /** How often each category was called each category. */
  readonly confusion: readonly { readonly label: Category; readonly called: Category; readonly n: number }[];
  readonly wrong: readonly Mistake[];
}

export interface Mistake {
  readonly id: string;
  readonly label: Category;
  readonly called: Category;
  readonly rule: string;
  readonly why: string;
}

export interface Judged {
  readonly failure: LabelledFailure;
  readonly classification: Classification;
}

export function accuracyOf(judged: readonly Judged[]): Accuracy {
  const pairs = judged.flatMap(({ failure, classification }) =>
    failure.label === null ? [] : [{ id: failure.id, label: failure.label, classification }],
  );
  const called = (test: (label: Category, category: Category) => boolean) =>
    pairs.filter(({ label, classification }) => test(label, classification.category));
  const effects = judged.filter(({ failure }) => failure.sideEffect !== null);
  return {
    failures: judged.length,
    unknownLabels: [...new Set(judged.flatMap(({ failure }) => failure.unknownLabel ?? []))],
    labelled: pairs.length,
    right: called((label, category) => label === category).length,
    abstained: called((label, category) => category === "unknown" && label !== "unknown").length,
    dangerous: called((label, category) => category === "transient" && label !== "transient").length,
    sideEffects: {
      labelled: effects.length,
      right: effects.filter(({ failure, classification }) => failure.sideEffect === classification.sideEffect).length,
    },
    confusion: confusionOf(pairs.map(({ label, classification }) => ({ label, called: classification.category }))),
    wrong: called((label, category) => label !== category).map(({ id, label, classification }) => ({
      id,
      label,
      called: classification.category,
      rule: classification.rule,
      why: classification.why,
    })),
  };
}

function confusionOf(pairs: readonly { readonly label: Category; readonly called: Category }[]): Accuracy["confusion"] {
  const counts = new Map<string, { label: Category; called: Category; n: number }>();
  for (const { label, called } of pairs) {
    const cell = counts.get(`${label} ${called}`) ?? { label, called, n: 0 };
    cell.n += 1;
    counts.set(`${label} ${called}`, cell);
  }
  return [...counts.values()];
}
