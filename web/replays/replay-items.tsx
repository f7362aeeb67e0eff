import { useState } from "react";
import type { InputOf, OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { inWords, showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import type { Replay } from "./replay-words.ts";

type Item = OutputOf<"replays.items">["items"][number];
type Asked = InputOf<"replays.items">;

interface ReplayItemsProps {
  readonly replay: Replay;
  readonly query: URLSearchParams;
  readonly onChange: () => void;
}

const decisions = [
  ["all", {}],
  ["will be sent", { decision: "replay" }],
  ["need somebody's word", { decision: "ack_required" }],
  ["will not be sent", { decision: "skip" }],
] as const;
const outcomes = [
  ["returned", { state: "returned" }],
  ["unknown", { state: "unknown" }],
  ["in doubt", { state: "in_doubt" }],
] as const;

/** Each letter with its decision, on demand: a plan may hold very many. */
export function ReplayItems({ replay, query, onChange }: ReplayItemsProps) {
  const decision = query.get("decision");
  const state = query.get("state");
  const after = Number(query.get("after") ?? 0);
  const asked = { id: replay.id, after, limit: 50, ...(decision ? { decision } : {}), ...(state ? { state } : {}) };
  // The address may hold anything; what the office does not know it refuses by name.
  const answer = useAnswer("replays.items", asked as Asked);
  const filters = replay.counts.sent + replay.counts.inDoubt > 0 ? [...decisions, ...outcomes] : decisions;
  const chosen = { ...(decision ? { decision } : {}), ...(state ? { state } : {}) };
  const changed = () => {
    answer.reload();
    onChange();
  };
  return (
    <section aria-labelledby="items">
      <h2 id="items">Letters of this plan</h2>
      <nav aria-label="Which letters" className="tabs">
        {filters.map(([name, filter]) => (
          <Link key={name} to={pages.replay(replay.id, filter)} current={isSame(filter, chosen)}>
            {name}
          </Link>
        ))}
      </nav>
      <Trouble answer={answer} />
      <ItemsTable items={answer.data?.items ?? []} replay={replay} onChange={changed} />
      {answer.data?.items.length === 0 ? <p className="muted">No letter of this plan is so.</p> : null}
      {answer.data?.next ? (
        <Link to={pages.replay(replay.id, { ...chosen, after: String(answer.data.next) })}>More letters</Link>
      ) : null}
    </section>
  );
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface ItemsTableProps {
  readonly items: readonly Item[];
  readonly replay: Replay;
  readonly onChange: () => void;
}

function ItemsTable({ items, replay, onChange }: ItemsTableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  if (items.length === 0) return null;
  const mayShrink = ["planned", "awaiting_approval", "approved", "paused", "halted"].includes(replay.state);
  const toggle = (n: number) =>
    setChosen((before) => new Set(before.has(n) ? [...before].filter((each) => each !== n) : [...before, n]));
  const done = () => {
    setChosen(new Set());
    onChange();
  };
  return (
    <>
      <table className="rows">
        <caption className="unseen">Letters of this plan</caption>
        <thead>
          <tr>
            <th scope="col" className="number">
              No.
            </th>
            <th scope="col">Letter</th>
            <th scope="col">Decision</th>
            <th scope="col">Why</th>
            <th scope="col">To</th>
            <th scope="col">Stands</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <ItemRow
              key={item.n}
              item={item}
              isChosen={chosen.has(item.n)}
              onToggle={mayShrink && isGoing(item) ? () => toggle(item.n) : null}
            />
          ))}
        </tbody>
      </table>
      {chosen.size === 0 ? null : <Exclude id={replay.id} items={[...chosen]} onDone={done} />}
    </>
  );
}

/** Only what would still go can be taken out. */
function isGoing({ decision, mark, state }: Item): boolean {
  return decision !== "skip" && mark === null && state === "not_yet_sent";
}

const decisionWords = { replay: "goes", ack_required: "needs a word", skip: "stays" } as const;

interface ItemRowProps {
  readonly item: Item;
  readonly isChosen: boolean;
  /** Null where it cannot be taken out. */
  readonly onToggle: (() => void) | null;
}

function ItemRow({ item, isChosen, onToggle }: ItemRowProps) {
  const { n, letter, decision, reason, destination, via, acknowledged, mark, state } = item;
  return (
    <tr aria-selected={isChosen || undefined}>
      <td className="number" data-label="no.">
        {onToggle === null ? null : (
          <input type="checkbox" aria-label={`Leave out ${n}`} checked={isChosen} onChange={onToggle} />
        )}{" "}
        {showCount(n)}
      </td>
      <td>
        <Link to={pages.letter(letter)} row>
          {letter}
        </Link>
      </td>
      <td>{mark ?? (acknowledged ? "goes, answered for" : decisionWords[decision])}</td>
      <td>
        {reason.code === "ready" ? <span className="muted">ready</span> : reason.sentence}
        {reason.change === "" ? null : <p className="change">{reason.change}</p>}
      </td>
      <td data-label="to">
        {destination ?? "–"}
        {via === null ? null : (
          <p className="change">
            by {via.exchange}, key {via.routingKey}
          </p>
        )}
      </td>
      <td data-label="stands">{decision === "skip" || mark !== null ? "–" : inWords(state)}</td>
    </tr>
  );
}

interface ExcludeProps {
  readonly id: string;
  readonly items: readonly number[];
  readonly onDone: () => void;
}

function Exclude({ id, items, onDone }: ExcludeProps) {
  const numbers = [...items].sort((a, b) => a - b);
  return (
    <div className="chosen">
      <Act
        operation="replays.exclude"
        label={`Leave out ${showLetters(numbers.length)}`}
        reason="optional"
        command={(why) =>
          `dlo replay exclude ${id} --items ${numbers.join(",")}${why === "" ? "" : ` --reason '${why}'`}`
        }
        input={(reason) => ({ id, items: numbers, reason })}
        onDone={onDone}
      >
        <p>They stay where they are. An approval that was given holds: the plan only shrinks.</p>
      </Act>
    </div>
  );
}
