import type { FieldName } from "./query-fields.ts";

/** A search as it was understood. Places are characters of the text, counted from 0. */
export type Query =
  | { readonly kind: "all" }
  | { readonly kind: "and" | "or"; readonly parts: readonly Query[] }
  | { readonly kind: "not"; readonly part: Query }
  | Term
  | BareText;

/** Such as `age:>1h` or `category:transient,unknown`. */
export interface Term {
  readonly kind: "term";
  readonly field: FieldName;
  /** After the dot of `header.x-tenant` or `body.items[*].sku`; null elsewhere. */
  readonly path: string | null;
  readonly comparison: Comparison;
  /** Any of them. */
  readonly values: readonly Value[];
  readonly at: number;
  readonly length: number;
}

export type Comparison = "=" | ">" | ">=" | "<" | "<=";

export type Value =
  /** `*` in it stands for anything. */
  | { readonly kind: "word"; readonly text: string; readonly at: number }
  | { readonly kind: "phrase"; readonly text: string; readonly at: number }
  | { readonly kind: "range"; readonly from: string; readonly to: string; readonly at: number };

/** Words without a field: error text, type and key. */
export interface BareText {
  readonly kind: "text";
  readonly value: Extract<Value, { readonly kind: "word" | "phrase" }>;
}
