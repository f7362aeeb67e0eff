import type { ReactNode } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { officeNow } from "../app/office-clock.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { HowOld } from "../ui/age.tsx";
import { showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Failures } from "./failures.tsx";

type Counted = OutputOf<"queues.list">;

/** Whether it still happens, in one line and a picture: each figure leads to the list that has exactly so many. */
export function Vitals() {
  const { data } = useAnswer("queues.list", {});
  const breakers = useAnswer("breakers.list", {}).data?.items.filter(({ state }) => state === "open").length;
  if (data === null)
    return (
      <>
        <div className="vitals" />
        <div className="failures" />
      </>
    );
  const { now, usual } = failed(data);
  const hour = `${new Date(officeNow()).toISOString().slice(0, 13)}:00Z`;
  return (
    <>
      <dl className="vitals">
        <Vital name="Open" to={pages.letters("state:open,returned")}>
          {showCount(countOf(data, ["open", "returned"]))}
        </Vital>
        <Vital name="Oldest" to={pages.letters("state:open,returned", null, { sort: "-age" })}>
          <HowOld since={oldestOf(data)} />
        </Vital>
        <Vital name="This hour" to={pages.letters(`failed:>=${hour}`)}>
          {showCount(now)}{" "}
          <span className="muted">usually {usual < 10 ? usual.toFixed(1) : showCount(Math.round(usual))}</span>
        </Vital>
        <Vital name="Came back" to={pages.letters("state:returned")}>
          {showCount(countOf(data, ["returned"]))}
        </Vital>
        {breakers === undefined ? null : (
          <Vital name="Breakers" to={pages.breakers()}>
            {breakers === 0 ? "none open" : `${showCount(breakers)} open`}
          </Vital>
        )}
      </dl>
      <Failures byCategory={data.failuresByCategory} />
    </>
  );
}

interface VitalProps {
  readonly name: string;
  readonly to: string;
  readonly children: ReactNode;
}

function Vital({ name, to, children }: VitalProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Link to={to}>{children}</Link>
      </dd>
    </div>
  );
}

function countOf({ counts }: Counted, states: readonly string[]): number {
  return sum(counts.filter(({ state }) => states.includes(state)).map(({ n }) => n));
}

function oldestOf({ oldest }: Counted): string | null {
  return oldest.map(({ failedAt }) => failedAt).sort()[0] ?? null;
}

/** In the running hour, and in an hour of the last day: a figure alone does not say whether it is many. */
function failed({ failures: queues }: Counted): { readonly now: number; readonly usual: number } {
  const before = queues.flatMap(({ hours }) => hours.slice(0, -1));
  const hours = Math.max(1, (queues[0]?.hours.length ?? 1) - 1);
  return { now: sum(queues.map(({ hours: each }) => each.at(-1) ?? 0)), usual: sum(before) / hours };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
