import type { Ref } from "react";
import { keyFor, singleKeys } from "./key-map.ts";
import { useKeyMap } from "./use-key-map.ts";

/** Behind the key that goes to a page. */
const places = [
  ["i", "inbox"],
  ["m", "letters"],
  ["r", "replays"],
  ["a", "approvals"],
  ["q", "queues"],
  ["b", "breakers"],
  ["c", "consumers"],
  ["l", "alerts"],
  ["p", "policies"],
  ["s", "simulator"],
  ["n", "insights"],
  ["u", "audit"],
  ["t", "topology"],
  ["h", "status: the office's own health"],
];

/** Behind the key that selects. */
const selections = [
  ["a", "select all on this page"],
  ["m", "select all that match the search"],
  ["n", "select none"],
];

const always = [
  ["Enter", "open the row"],
  ["Space", "look at the row beside the list; next and previous row go on there"],
  ["Ctrl K", "to any page, any id, or what this page offers"],
  ["Esc", "close"],
];

/** The keys there are, as this browser has them. */
export function KeysDialog({ ref }: { readonly ref: Ref<HTMLDialogElement> }) {
  const map = useKeyMap();
  const go = keyFor(map, "g");
  const select = keyFor(map, "*");
  const single = singleKeys.map(([own, what]) => [keyFor(map, own), what] as const);
  const keys = [
    ...single.filter(([key]) => key !== null && key !== go && key !== select),
    ...(go === null ? [] : places.map(([key, what]) => [`${go} ${key}`, what] as const)),
    ...(select === null ? [] : selections.map(([key, what]) => [`${select} ${key}`, what] as const)),
    ...always,
  ];
  return (
    <dialog ref={ref} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      {/* Before the keys: it has the focus, and what has the focus is scrolled to. */}
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
      {map.isOff ? <p>Single keys are switched off in this browser.</p> : null}
      <dl className="keys">
        {keys.map(([key, what]) => (
          <div key={what}>
            <dt>
              <kbd>{/^[A-Z]$/.test(key ?? "") ? `Shift ${key}` : key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">Settings, Appearance: other keys in their place, or none.</p>
    </dialog>
  );
}
