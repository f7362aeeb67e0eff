import { Fragment } from "react";
import { placeOfId } from "../app/palette-choices.ts";
import { Link } from "./link.tsx";

/** A sentence in which every id leads to what it is of. */
export function NamedText({ text }: { readonly text: string }) {
  return text.split(/\b([a-z]{3}_[0-9A-Z]{26})\b/).map((part, at) => {
    const to = at % 2 === 1 ? placeOfId(part) : null;
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no other name, and change with it
    return <Fragment key={at}>{to === null ? part : <Link to={to}>{part}</Link>}</Fragment>;
  });
}
