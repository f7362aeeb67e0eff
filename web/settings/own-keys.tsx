import { useId, useState } from "react";
import { type KeyMap, keyFor, plainKeys, singleKeys, withKey } from "../app/key-map.ts";
import { keepKeyMap, useKeyMap } from "../app/use-key-map.ts";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";

type Row = (typeof singleKeys)[number];

/** Single keys get in the way of those who speak to their machine, or whose hands slip: each can be another, or none at all. */
export function OwnKeys() {
  const map = useKeyMap();
  const [refused, setRefused] = useState<{ readonly own: string; readonly why: string } | null>(null);
  const choose = (own: Row[0], key: string) => {
    const changed = withKey(map, own, key);
    if ("refused" in changed) return setRefused({ own, why: changed.refused });
    setRefused(null);
    keepKeyMap(changed);
  };
  return (
    <section aria-labelledby="own-keys">
      <h2 id="own-keys">Keys</h2>
      <p>Keys that are pressed alone. This browser remembers them; keys with Ctrl, Enter and Esc stay as they are.</p>
      <label>
        <input type="checkbox" checked={!map.isOff} onChange={() => keepKeyMap({ ...map, isOff: !map.isOff })} />
        {" Single keys do something"}
      </label>
      {map.isOff ? null : (
        <RowsTable
          caption="Single keys"
          columns={columnsOf(map, refused, choose)}
          rows={singleKeys}
          keyOf={([own]) => own}
        />
      )}
      <div className="buttons">
        <button type="button" onClick={() => keepKeyMap(plainKeys)}>
          All keys as they were
        </button>
      </div>
    </section>
  );
}

function columnsOf(
  map: KeyMap,
  refused: { readonly own: string; readonly why: string } | null,
  choose: (own: Row[0], key: string) => void,
): readonly TableColumn<Row>[] {
  return [
    { heading: "What for", kind: "name", cell: ([, what]) => what },
    {
      heading: "Key",
      label: "key",
      cell: (row) => <OneKey row={row} map={map} why={refused?.own === row[0] ? refused.why : null} choose={choose} />,
    },
  ];
}

interface OneKeyProps {
  readonly row: Row;
  readonly map: KeyMap;
  /** Why the last one was not taken. */
  readonly why: string | null;
  readonly choose: (own: Row[0], key: string) => void;
}

function OneKey({ row: [own, what], map, why, choose }: OneKeyProps) {
  const id = useId();
  return (
    <>
      <input
        className="one-key"
        aria-label={`Key for: ${what}`}
        aria-describedby={why === null ? undefined : id}
        value={keyFor(map, own) ?? ""}
        placeholder="none"
        // What is typed stands behind what was there, unless that was marked: the last sign is the one that is meant.
        onChange={({ target: { value } }) => choose(own, [...value].at(-1) ?? "")}
        autoComplete="off"
        spellCheck={false}
      />
      {why === null ? null : (
        <span id={id} role="alert" className="says">
          {why}
        </span>
      )}
    </>
  );
}
