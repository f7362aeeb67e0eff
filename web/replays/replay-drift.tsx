import { useCallback, useEffect, useState } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { ask, type Refused } from "../app/office.ts";
import { refusedBy } from "../app/refused-by.ts";
import { pages } from "../app/routes.ts";
import { Ago } from "../ui/age.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import type { Replay } from "./replay-words.ts";

type Drift = OutputOf<"replays.drift">;

/** Looked for when the page opens and when somebody asks: each look reads the letters again. */
function useDrift(id: string) {
  const [found, setFound] = useState<Drift | Refused | null>(null);
  const look = useCallback(async () => {
    setFound(null);
    setFound(await ask("replays.drift", { id }).catch(refusedBy));
  }, [id]);
  useEffect(() => void look(), [look]);
  return { found, look };
}

/** What has changed since the plan was frozen, before anybody puts their name to it. */
export function ReplayDrift({ replay }: { readonly replay: Replay }) {
  const { found, look } = useDrift(replay.id);
  return (
    <section aria-labelledby="drift">
      <h2 id="drift">Since it was frozen</h2>
      <div role="status">
        {found === null ? <p className="muted">Looking whether each letter may still go…</p> : null}
        {found !== null && "message" in found ? <p className="trouble">{found.message}</p> : null}
        {found !== null && "items" in found ? <Drifted drift={found} replay={replay} /> : null}
        {found !== null && "items" in found && found.unasked > 0 ? <Unasked n={found.unasked} /> : null}
        {found !== null && "items" in found
          ? found.notChecked.map((each) => <NotChecked key={each.why} {...each} />)
          : null}
      </div>
      <button type="button" className="small" onClick={() => void look()}>
        Look again
      </button>
    </section>
  );
}

function Drifted({ drift, replay }: { readonly drift: Drift; readonly replay: Replay }) {
  const { checked, isPartial, n, items } = drift;
  const looked = `${isPartial ? "the first " : ""}${showLetters(checked)}`;
  if (n === 0) {
    return (
      <p>
        Nothing has changed for {isPartial ? looked : named(checked)} since it was frozen,{" "}
        <Ago since={replay.frozenAt} />.
      </p>
    );
  }
  return (
    <>
      <p className="says">
        <b>The plan is stale.</b> Of {looked} {showCount(n)} would not go any more. They drop out when their turn comes;
        an approval stays good for the rest.{" "}
        <Link to={pages.plan({ q: replay.query })}>Plan again to see why, and what would change it</Link>
      </p>
      <RowsTable
        caption="Letters that would not go any more"
        columns={columns}
        rows={items}
        keyOf={({ letter }) => letter}
      />
      {n === items.length ? null : <p>and {showCount(n - items.length)} more</p>}
    </>
  );
}

/** A look at a page is not heard in production. */
function Unasked({ n }: { readonly n: number }) {
  return (
    <p className="muted">
      Probes were not asked: whether {showLetters(n)} took effect before is asked when their turn comes.
    </p>
  );
}

/** Nothing has changed for a plan because a broker is down: its letters wait for it. */
function NotChecked({ n, why }: Drift["notChecked"][number]) {
  return (
    <p className="muted">
      Where {showLetters(n)} would go was not checked: {why}. Each is checked before it is sent.
    </p>
  );
}

function named(letters: number): string {
  return letters === 1 ? "this letter" : `these ${showLetters(letters)}`;
}

const columns: readonly TableColumn<Drift["items"][number]>[] = [
  { heading: "No.", kind: "number", cell: ({ n }) => showCount(n) },
  { heading: "Letter", cell: ({ letter }) => <Link to={pages.letter(letter)}>{letter}</Link> },
  {
    heading: "What changed",
    cell: ({ reason }) => (
      <>
        {reason.sentence} <code className="muted">{reason.code}</code>
        {reason.change === "" ? null : <p className="change">{reason.change}</p>}
      </>
    ),
  },
];
