import type { OutputOf } from "../../http/client.ts";
import type { Flag } from "../flags.ts";
import { numberFlag } from "../flags.ts";

/** More would not be read by anybody: `dlo letters export` writes any number. */
const most = 100_000;

/** How much of a list is wanted: a number, or all of it. */
export function limitFlag(about: string): Flag<number> {
  const number = numberFlag({ about, default: 50, min: 1, max: most, integer: true });
  return {
    ...number,
    placeholder: "N|all",
    parse: (text, option) => (text === "all" ? most : number.parse(text, option)),
  };
}

interface ListPage<Item, Place> {
  readonly items: readonly Item[];
  readonly next: Place | null;
  /** With the first page, of what a search finds. */
  readonly warnings?: Warnings;
}

type Warnings = OutputOf<"letters.list">["warnings"];

interface Gathered<Item, Place> {
  readonly items: readonly Item[];
  readonly next: Place | null;
  readonly warnings?: Warnings;
}

/** As many as are wanted, page by page; `next` is where they go on. */
export async function upTo<Item, Place>(
  limit: number,
  { pageSize, from }: { readonly pageSize: number; readonly from: Place | null },
  ask: (size: number, from: Place | null) => Promise<ListPage<Item, Place>>,
): Promise<Gathered<Item, Place>> {
  const items: Item[] = [];
  let place = from;
  let warnings: Warnings | undefined;
  do {
    const page = await ask(Math.min(pageSize, limit - items.length), place);
    items.push(...page.items);
    place = page.next;
    warnings ??= page.warnings;
  } while (place !== null && items.length < limit);
  return { items, next: place, ...(warnings === undefined ? {} : { warnings }) };
}
