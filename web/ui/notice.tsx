import type { Answer } from "../app/use-answer.ts";
import { Loading } from "./loading.tsx";

/** Why there is nothing new, where the data would be; what came before stays. */
export function Trouble({ answer: { trouble, at, reload } }: { readonly answer: Answer<unknown> }) {
  if (trouble === null) return null;
  return (
    <div role="alert" className="trouble">
      <p>{trouble.message}</p>
      {trouble.hint === null ? null : <p>{trouble.hint}</p>}
      {at === null ? null : <p>Shown is what was known at {timeOf(at)}.</p>}
      <button type="button" onClick={reload}>
        Try again
      </button>
    </div>
  );
}

/** What a page says of how fresh it is. */
export function Freshness({ answer: { at, trouble } }: { readonly answer: Answer<unknown> }) {
  if (at === null && trouble !== null) return null;
  return at === null ? <Loading /> : <p className="fresh">As of {timeOf(at)}</p>;
}

/** In one zone on every page, which each time names: whoever compares it with a log knows which it is. */
function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}
