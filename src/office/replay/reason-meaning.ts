/** What a plan does with a letter. `ack_required` is left out until a person has answered for its risk. */
export type DecisionKind = "replay" | "ack_required" | "skip";

/** What there is to say about a reason. */
export interface Meaning<Details> {
  readonly decision: DecisionKind | ((details: Details) => DecisionKind);
  /** `never`: nothing that can still happen would let this letter go as it is. */
  readonly never?: true;
  sentence(details: Details): string;
  /** The same of `n` of the letters of a plan, said once. @default the sentence of the first */
  together?(n: number, total: number): string;
  /** What would change it, as something a person can do; empty where nothing has to change. */
  change(details: Details): string;
}

/** For each code what it means, given its details. */
export type Meanings<Details> = { readonly [Code in keyof Details]: Meaning<Details[Code]> };
