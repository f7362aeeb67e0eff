import { memo, useDeferredValue, useEffect } from "react";
import { showCount as countOf } from "../../src/domain/show-count.ts";
import { firstInbox } from "../../src/http/first-questions.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { ask, basePath } from "../app/office.ts";
import { pages, usePlace } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { HowOld } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { type SteadyRow, useSteadyRows } from "../ui/use-steady-rows.ts";
import { WaitingRows } from "../ui/waiting-rows.tsx";
import { type Lane, LaneTabs, NothingInLane } from "./inbox-lanes.tsx";
import { keepInboxOrder } from "./inbox-order.ts";
import { NothingYet } from "./nothing-yet.tsx";
import { RowDialog } from "./row-work.tsx";
import { type InboxItem as Item, useRowWork } from "./use-row-work.ts";
import "./inbox.css";
import { Vitals } from "./vitals.tsx";

/** What the inbox asks. */
export function inboxQuestion(withSnoozed: boolean) {
  return { ...firstInbox, withSnoozed };
}

/** As many as fit on a screen, and some: they are shown before the rest, which nobody sees yet. */
const firstRows = 40;

interface InboxPageProps {
  readonly withSnoozed: boolean;
  /** Null: all of them. */
  readonly lane: Lane | null;
}

/** What needs a decision, in the order in which to look at it. */
export function InboxPage({ withSnoozed, lane }: InboxPageProps) {
  const answer = useAnswer("inbox.list", inboxQuestion(withSnoozed));
  const all = answer.data?.items ?? [];
  const items = lane === null ? all : all.filter((item) => item.lane === lane);
  const steady = useSteadyRows(items, pages.inbox({ withSnoozed, lane }));
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
        <SnoozedLink snoozed={answer.data?.snoozed ?? 0} shown={{ withSnoozed, lane }} />
        <CopyButton text={shiftInWords} label="Copy summary of 8 hours" />
      </div>
      {answer.data === null || all.length === 0 ? null : (
        <LaneTabs lanes={answer.data.lanes} shown={{ withSnoozed, lane }} />
      )}
      <WaitingRows steady={steady} />
      <InboxTable rows={steady.rows} onMenu={work.openMenu} />
      {answer.data !== null && all.length === 0 ? <NothingYet /> : null}
      {all.length > 0 && items.length === 0 && lane !== null ? <NothingInLane lane={lane} /> : null}
      <RowDialog work={work} />
      <CommandLine command={inboxCommand({ withSnoozed, lane })} />
      <Freshness answer={answer} />
    </>
  );
}

function inboxCommand({ withSnoozed, lane }: InboxPageProps): string {
  return ["dlo inbox", ...(lane === null ? [] : [`--lane ${lane}`]), ...(withSnoozed ? ["--all"] : [])].join(" ");
}

/** As `dlo report` says it, and where to look. */
async function shiftInWords(): Promise<string> {
  const { text } = await ask("report.get", {});
  return `${text}\n${location.origin}${basePath}${pages.inbox()}`;
}

function SnoozedLink({ snoozed, shown }: { readonly snoozed: number; readonly shown: InboxPageProps }) {
  if (snoozed === 0) return null;
  return (
    <Link to={pages.inbox({ ...shown, withSnoozed: !shown.withSnoozed })}>
      {shown.withSnoozed ? "Hide" : "Show"} {snoozed} snoozed
    </Link>
  );
}

function summaryOf({ items, snoozed, open, openGroups }: OutputOf<"inbox.list">, withSnoozed: boolean): string {
  const isAll = items.length + (withSnoozed ? 0 : snoozed) >= openGroups;
  if (!isAll)
    return `${countOf(open, "open letter")} in ${countOf(openGroups, "group")}: shown are the ${items.length} to look at first.`;
  const shown = items.reduce((sum, item) => sum + item.open, 0);
  return `${countOf(shown, "open letter")} in ${countOf(items.length, "group")}.`;
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
        <HowOld since={item.oldestOpenAt} />
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
