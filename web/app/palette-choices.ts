import { railLinks } from "./rail.tsx";
import { pages } from "./routes.ts";
import { searchTyped } from "./search-times.ts";

/** Something the palette leads to. Nothing in it changes anything by itself. */
export interface PaletteChoice {
  readonly name: string;
  readonly about: string;
  readonly to: string;
}

const pageOfId: Readonly<Record<string, (id: string) => string>> = {
  ltr: pages.letter,
  grp: pages.group,
  rpl: (id) => pages.replay(id),
  alr: () => pages.alerts(),
};

/** Where an id of anything leads; null for what is none. */
export function placeOfId(text: string): string | null {
  const [prefix = "", rest = ""] = text.trim().split("_");
  return rest === "" || !Object.hasOwn(pageOfId, prefix) ? null : (pageOfId[prefix]?.(text.trim()) ?? null);
}

/** What may be meant by what was typed: an id of anything, a page, what the page at hand offers; last, a search. */
export function choicesFor(typed: string, here: readonly PaletteChoice[]): readonly PaletteChoice[] {
  const wanted = typed.trim().toLowerCase();
  const byId = placeOfId(typed);
  const all = [...here, ...railLinks.map(({ name, to }) => ({ name, to, about: "page" }))];
  return [
    ...(byId === null ? [] : [{ name: typed.trim(), about: "open", to: byId }]),
    ...all.filter(({ name }) => name.toLowerCase().includes(wanted)),
    ...(wanted === "" ? [] : [{ name: typed.trim(), about: "search letters", to: pages.letters(searchTyped(typed)) }]),
  ];
}
