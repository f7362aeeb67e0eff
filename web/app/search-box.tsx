import { type SubmitEventHandler, useEffect, useId, useRef, useState } from "react";
import { completionsOf } from "../../src/domain/query/complete-search.ts";
import { placeOfId } from "./palette-choices.ts";
import { goTo, type LetterList, type Place, pages } from "./routes.ts";
import { searchTyped } from "./search-times.ts";

/** Finds letters from any page, and leads to what an id names; on the list of letters it holds the search that is shown. */
export function SearchBox({ place }: { readonly place: Place }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const isList = place.path === pages.letters();
  const q = isList ? (place.query.get("q") ?? "") : "";
  const [text, setText] = useState(q);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another page nothing was typed yet
  useEffect(() => setText(q), [q, place.path]);
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault();
    const typed = searchTyped(text);
    setText(typed);
    // Keys are the list's again.
    field.current?.blur();
    goTo(placeOfId(typed) ?? pages.letters(typed, null, isList ? listIn(place) : {}));
  };
  return (
    <search className={isList ? "find whole" : "find"}>
      <form onSubmit={submit}>
        <label htmlFor={id}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M11 11l4 4M12.5 7a5.5 5.5 0 1 1-11 0a5.5 5.5 0 0 1 11 0z" />
          </svg>
          <span className="unseen">Search</span>
        </label>
        <input
          ref={field}
          id={id}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={({ key }) => (key === "Escape" ? field.current?.blur() : undefined)}
          placeholder='queue:orders age:>1h error:"timeout"'
          spellCheck={false}
          autoComplete="off"
          list={`${id}-completions`}
        />
        <datalist id={`${id}-completions`}>
          {completionsOf(text).map(({ text: completed, about }) => (
            <option key={completed} value={completed}>
              {about}
            </option>
          ))}
        </datalist>
      </form>
    </search>
  );
}

/** Another search in the same view, order and columns. */
function listIn({ query }: Place): LetterList {
  const [view = "", sort = "", cols = ""] = ["view", "sort", "cols"].map((name) => query.get(name) ?? "");
  return { view, sort, cols };
}
