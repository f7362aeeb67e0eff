import { memo, useDeferredValue, useEffect } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { ask, basePath } from "../app/office.ts";
import { pages, usePlace } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Ago, Lasting } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { type SteadyRow, useSteadyRows } from "../ui/use-steady-rows.ts";
import { WaitingRows } from "../ui/waiting-rows.tsx";
import { keepInboxOrder } from "./inbox-order.ts";
import { RowDialog } from "./row-work.tsx";
import { type InboxItem as Item, useRowWork } from "./use-row-work.ts";
import "./inbox.css";
import { Vitals } from "./vitals.tsx";

/** What the inbox asks. */
export function inboxQuestion(withSnoozed: boolean) {
  return { limit: 200, withSnoozed };
}

/** As many as fit on a screen, and some: they are shown before the rest, which nobody sees yet. */
const firstRows = 40;

/** What needs a decision, in the order in which to look at it. */
export function InboxPage({ withSnoozed }: { readonly withSnoozed: boolean }) {
  const answer = useAnswer("inbox.list", inboxQuestion(withSnoozed));
  const items = answer.data?.items ?? [];
  const steady = useSteadyRows(items, withSnoozed ? "inbox and snoozed" : "inbox");
  const work = useRowWork(steady.rows, answer.reload);
  useEffect(() => {
    if (steady.rows.length > 0) keepInboxOrder(steady.rows.map(({ row }) => row.id));
  }, [steady.rows]);
  return (
    <>
      <h1>Inbox</h1>
      <Trouble answer={answer} />
      <Vitals />
      <div className="buttons">
        <p role="status">{answer.data === null ? "" : summaryOf(answer.data, withSnoozed)}</p>
        <SnoozedLink snoozed={answer.data?.snoozed ?? 0} isShown={withSnoozed} />
        <CopyButton text={shiftInWords} label="Copy summary of 8 hours" />
      </div>
      <WaitingRows steady={steady} />
      {answer.data !== null && items.length === 0 ? (
        <NothingYet />
      ) : (
        <InboxTable rows={steady.rows} onMenu={work.openMenu} />
      )}
      <RowDialog work={work} />
      <CommandLine command={`dlo inbox${withSnoozed ? " --all" : ""}`} />
      <Freshness answer={answer} />
    </>
  );
}

/** As `dlo report` says it, and where to look. */
async function shiftInWords(): Promise<string> {
  const { text } = await ask("report.get", {});
  return `${text}\n${location.origin}${basePath}${pages.inbox()}`;
}

function SnoozedLink({ snoozed, isShown }: { readonly snoozed: number; readonly isShown: boolean }) {
  if (snoozed === 0) return null;
  return (
    <Link to={pages.inbox(!isShown)}>
      {isShown ? "Hide" : "Show"} {snoozed} snoozed
    </Link>
  );
}

function summaryOf({ items, snoozed, open, openGroups }: OutputOf<"inbox.list">, withSnoozed: boolean): string {
  const isAll = items.length + (withSnoozed ? 0 : snoozed) >= openGroups;
  if (!isAll)
    return `${showCount(open)} open letters in ${showCount(openGroups)} groups: shown are the ${items.length} to look at first.`;
  const shown = items.reduce((sum, item) => sum + item.open, 0);
  return `${showCount(shown)} open ${shown === 1 ? "letter" : "letters"} in ${items.length} ${items.length === 1 ? "group" : "groups"}.`;
}

interface InboxRowsProps {
  readonly rows: readonly SteadyRow<Item>[];
  readonly onMenu: (id: string) => void;
}

function InboxTable({ rows, onMenu }: InboxRowsProps) {
  if (rows.length === 0) return null;
  return (
    <table className="rows inbox">
      <caption className="unseen">Groups that need a decision</caption>
      <thead>
        <tr>
          <th scope="col" className="why">
            Why
          </th>
          <th scope="col">Group</th>
          <th scope="col" className="queue">
            Queue
          </th>
          <th scope="col" className="number">
            Open
          </th>
          <th scope="col" className="hours">
            24 h
          </th>
          <th scope="col" className="number">
            Oldest
          </th>
          <th scope="col" className="next">
            Next step
          </th>
          <th scope="col" className="more">
            <span className="unseen">What to do</span>
          </th>
        </tr>
      </thead>
      <InboxRows rows={rows} onMenu={onMenu} />
    </table>
  );
}

function InboxRows({ rows, onMenu }: InboxRowsProps) {
  const shown = useDeferredValue(rows, rows.slice(0, firstRows));
  const peeked = usePlace().query.get("peek");
  return (
    <tbody>
      {shown.map(({ row, isGone }) => (
        <InboxRow key={row.id} item={row} isGone={isGone} isPeeked={row.id === peeked} onMenu={onMenu} />
      ))}
    </tbody>
  );
}

interface InboxRowProps {
  readonly item: Item;
  readonly isGone: boolean;
  /** It is looked at beside the list. */
  readonly isPeeked: boolean;
  readonly onMenu: (id: string) => void;
}

const InboxRow = memo(function InboxRow({ item, isGone, isPeeked, onMenu }: InboxRowProps) {
  return (
    <tr className={isGone ? "gone" : undefined} data-id={item.id} aria-current={isPeeked || undefined}>
      <td className="why">{item.why}</td>
      <td className="about">
        <CategoryChip category={item.category} />{" "}
        <Link to={pages.group(item.id)} row>
          {item.title}
        </Link>
        <Attended attention={item.attention} />
      </td>
      <td className="queue">{item.queue}</td>
      <td className="number" data-label="open">
        {item.open.toLocaleString("en")}
      </td>
      <td className="hours">
        <Sparkline hours={item.hours} />
      </td>
      <td className="number" data-label="oldest">
        <Lasting since={item.oldestOpenAt} />
      </td>
      <td className="next">
        <NextStep item={item} />
      </td>
      <td className="more">
        {isGone ? null : (
          <button type="button" aria-label={`What to do with ${item.title}`} onClick={() => onMenu(item.id)}>
            ⋯
          </button>
        )}
      </td>
    </tr>
  );
});

/** Who has it, how much was noted, and why it is back. */
function Attended({ attention: { assignee, notes, ended } }: Pick<Item, "attention">) {
  const words = [
    assignee === null ? "" : `${assignee} has it`,
    notes === 0 ? "" : `${notes} ${notes === 1 ? "note" : "notes"}`,
    ended === null ? "" : `back: ${ended}`,
  ].filter((part) => part !== "");
  return words.length === 0 ? null : <span className="muted"> {words.join(" · ")}</span>;
}

/** Leads to where the step is taken. */
function NextStep({ item: { id, nextStep } }: { readonly item: Item }) {
  if (nextStep.code === "replay.plan" || nextStep.code === "replay.trial")
    return <Link to={pages.plan({ group: id })}>{nextStep.label}</Link>;
  return <Link to={pages.group(id)}>{nextStep.label}</Link>;
}

/** Nothing has ever come, or nothing is left: the letters say which. */
function NothingYet() {
  const letters = useAnswer("letters.list", { limit: 1 });
  if (letters.data === null) return null;
  const [last] = letters.data.items;
  if (last !== undefined)
    return (
      <p>
        Nothing needs a decision. The last letter came <Ago since={last.arrivedAt} />, from <code>{last.queue}</code>.
      </p>
    );
  return (
    <section className="card">
      <h2>No letters yet</h2>
      <p>Three ways to the first ones:</p>
      <ul>
        <li>
          <Link to={pages.connect()}>Connect a source</Link>, a broker or a job framework: it is looked at first, and
          nothing is taken from it before you say so
        </li>
        <li>
          Write it into <code>dlo.config.yaml</code> with <code>mode: drain</code>, and start <code>dlo up</code> again:{" "}
          <code>dlo sources add</code> does the writing
        </li>
        <li>
          Import a file: <code>dlo letters import letters.ndjson</code>
        </li>
      </ul>
    </section>
  );
}
