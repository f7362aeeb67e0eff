import { frozenAt, withInstants } from "../../src/domain/query/absolute-times.ts";
import { instantIn } from "../ui/moment-words.ts";
import { timeChoices, zoneShown } from "./display-zone.ts";
import { officeNow } from "./office-clock.ts";

/** A search as it is kept and linked to: times that were typed without a zone are those of the one that is shown. */
export function searchTyped(q: string): string {
  const zone = zoneShown(timeChoices());
  return withInstants(q.trim(), (wall) => instantIn(zone, wall));
}

/** The link to the page at hand: whoever follows it later finds what is found now. */
export function linkToNow(): { readonly link: string; readonly isFrozen: boolean } {
  const link = new URL(location.href);
  const q = link.searchParams.get("q");
  const frozen = q === null ? null : frozenAt(q, officeNow());
  if (q === null || frozen === null || frozen === q) return { link: link.href, isFrozen: false };
  link.searchParams.set("q", frozen);
  return { link: link.href, isFrozen: true };
}
