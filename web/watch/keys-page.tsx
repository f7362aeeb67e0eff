import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Age } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { inWords, showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { RowsTable, type TableColumn } from "../ui/rows-table.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { ReleaseKey } from "./release-key.tsx";
import { releaseWords, SilentSources } from "./waiting-behind.tsx";

type Keys = OutputOf<"keys.list">;
type Key = Keys["items"][number];

interface KeysPageProps {
  /** The page before this one says it; null: the first. */
  readonly after: string | null;
}

/** Which messages stand still behind a dead one of their key, and how they get on. */
export function KeysPage({ after }: KeysPageProps) {
  const answer = useAnswer("keys.list", { after }, 10_000);
  const { data } = answer;
  return (
    <>
      <h1>Blocked keys</h1>
      <Trouble answer={answer} />
      {data === null ? null : <p role="status">{summaryOf(data, after === null)}</p>}
      {data === null ? null : <SilentSources sources={data.unchecked} />}
      {data === null || data.items.length === 0 ? null : <KeysTable keys={data} onChange={answer.reload} />}
      <nav aria-label="More keys" className="pages">
        {after === null ? null : <Link to={pages.keys()}>First page</Link>}
        {data?.next ? <Link to={pages.keys(data.next)}>Show more</Link> : null}
      </nav>
      <p className="muted">
        In an ordered queue, later messages of a key wait while one of them is dead or waits for a retry. Replay the
        letter, and it runs first. Drop it or release the key, and the others run without it.
      </p>
      <CommandLine command="dlo keys list" />
      <Freshness answer={answer} />
    </>
  );
}

function summaryOf({ items, unchecked, next }: Keys, isFirst: boolean): string {
  const behind = items.reduce((sum, each) => sum + (each.behind ?? 0), 0);
  if (items.length > 0) {
    const more = isFirst ? "" : "more ";
    const keys = items.length === 1 ? `1 ${more}key waits` : `${showCount(items.length)} ${more}keys wait`;
    const waiting = `${keys}, with ${behind === 1 ? "1 message" : `${showCount(behind)} messages`} behind.`;
    return next === null ? waiting : `${waiting} More keys wait: these are some that wait longest.`;
  }
  if (!isFirst) return "No more keys wait.";
  if (unchecked.length > 0) return "No key is known to wait.";
  return "No key waits. A key of an ordered queue appears here when one of its messages is dead.";
}

interface KeysTableProps {
  readonly keys: Keys;
  readonly onChange: () => void;
}

function KeysTable({ keys: { items, unchecked }, onChange }: KeysTableProps) {
  const silent = new Set(unchecked.map(({ source }) => source));
  const isUnknown = ({ state, source }: Key) => state === null && silent.has(source);
  const all: readonly TableColumn<Key>[] = [
    { heading: "State", cell: (key) => <State place={key} isUnknown={isUnknown(key)} /> },
    ...columns,
    { heading: "Behind", kind: "number", cell: (key) => behindOf(key, isUnknown(key)) },
    {
      heading: "Dead letter",
      cell: ({ letter }) =>
        letter === null ? "none known" : <Link to={pages.letter(letter.id)}>{inWords(letter.state)}</Link>,
    },
    { heading: "Change", cell: (key) => <Change place={key} isUnknown={isUnknown(key)} onChange={onChange} /> },
  ];
  return <RowsTable caption="Blocked keys, longest first" columns={all} rows={items} keyOf={({ place }) => place} />;
}

function behindOf({ behind }: Key, isUnknown: boolean): string {
  if (behind === null) return isUnknown ? "?" : "";
  return showCount(behind);
}

/** What a store that answered does not have is gone. Only what no one could ask about is unknown. */
function State({ place: { state, release }, isUnknown }: { readonly place: Key; readonly isUnknown: boolean }) {
  if (state !== null) return <StateChip state={state} tone={tones[state]} />;
  if (release !== null) return <StateChip state={releaseWords(release)} tone="idle" />;
  return <StateChip state={isUnknown ? "not checked" : "gone"} tone="idle" />;
}

const tones = { dead: "bad", waiting: "warn", parked: "now", released: "now" } as const;

const columns: readonly TableColumn<Key>[] = [
  { heading: "Key", kind: "name", cell: ({ key }) => key },
  {
    heading: "Queue",
    cell: ({ source, queue }) => <Link to={pages.queue(source, queue)}>{`${source}/${queue}`}</Link>,
  },
  { heading: "Since", kind: "number", cell: ({ since }) => (since === null ? "–" : <Age since={since} />) },
];

interface ChangeProps {
  readonly place: Key;
  readonly isUnknown: boolean;
  readonly onChange: () => void;
}

function Change({ place, isUnknown, onChange }: ChangeProps) {
  const { state, letter, release } = place;
  if (release?.state === "pending") return release.trouble === null ? "being released" : `Tried: ${release.trouble}`;
  if (state !== "dead" && !isUnknown) return "";
  const isOpen = letter !== null && ["open", "returned"].includes(letter.state);
  return (
    <div className="buttons">
      {isOpen ? (
        <Link to={pages.plan({ ids: letter.id })} look="button" plan>
          Plan a replay
        </Link>
      ) : null}
      <ReleaseKey place={place} onDone={onChange} />
    </div>
  );
}
