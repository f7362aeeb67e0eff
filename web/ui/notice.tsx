import type { Answer } from "../app/use-answer.ts";
import { Moment } from "./age.tsx";
import { Loading } from "./loading.tsx";

/** Why there is nothing new, where the data would be; what came before stays. */
export function Trouble({ answer: { trouble, at, reload } }: { readonly answer: Answer<unknown> }) {
  if (trouble === null) return null;
  return (
    <div role="alert" className="trouble">
      <p>{trouble.message}</p>
      {trouble.hint === null ? null : <p>{trouble.hint}</p>}
      {at === null ? null : (
        <p>
          Shown is what was known at <TimeOf at={at} />.
        </p>
      )}
      <button type="button" onClick={reload}>
        Try again
      </button>
    </div>
  );
}

/** What a page says of how fresh it is. */
export function Freshness({ answer: { at, trouble } }: { readonly answer: Answer<unknown> }) {
  if (at === null && trouble !== null) return null;
  if (at === null) return <Loading />;
  return (
    <p className="fresh">
      As of <TimeOf at={at} />
    </p>
  );
}

function TimeOf({ at }: { readonly at: number }) {
  return <Moment at={new Date(at).toISOString()} to="second" />;
}
