import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useReading } from "../app/display-zone.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { showCount } from "../ui/counts.ts";
import { firstHourBegan, hourMs, hourNames, lastHours } from "../ui/last-hours.ts";
import { Link } from "../ui/link.tsx";
import { showMoment } from "../ui/moment-words.ts";
import { PlotTable } from "../ui/plot-table.tsx";
import "./failures.css";

type Deploy = OutputOf<"deploys.list">["items"][number];
type ByCategory = OutputOf<"queues.list">["failuresByCategory"];

const height = 48;
/** Of an hour's width; the rest is the gap to the next. */
const barWidth = 0.86;
/** So that a single letter is seen beside a thousand. */
const leastTall = 1.5;
const deploysNamed = 5;

/** What failed in the last 24 hours, by the hour and by category, with what was deployed meanwhile: whether it still happens, at a glance. */
export function Failures({ byCategory }: { readonly byCategory: ByCategory }) {
  const begun = firstHourBegan();
  const reading = useReading();
  const deploys = useDeploys(begun);
  if (byCategory.length === 0) return <p className="failures muted">Nothing failed in the last 24 hours.</p>;
  const totals = Array.from({ length: lastHours }, (_, at) =>
    byCategory.reduce((sum, each) => sum + (each.hours[at] ?? 0), 0),
  );
  const most = Math.max(...totals);
  return (
    <figure className="failures">
      <figcaption>
        Failures by the hour, 24 h, at most {showCount(most)}{" "}
        {byCategory.map(({ category }) => (
          <span key={category} className="legend">
            <span className={`swatch bar-${category}`} /> {category.replace("_", " ")}
          </span>
        ))}
      </figcaption>
      <svg
        role="img"
        aria-label={`Failures by the hour: ${showCount(totals.at(-1) ?? 0)} in the running one, at most ${showCount(most)} in one of 24`}
        viewBox={`0 0 ${lastHours} ${height}`}
        preserveAspectRatio="none"
      >
        {stacked(byCategory, most).map(({ category, path }) => (
          <path key={category} className={`bar-${category}`} d={path} />
        ))}
        <path
          className="deployed"
          d={linesAt(
            deploys.filter(({ introduced }) => introduced.length === 0),
            begun,
          )}
        />
        <path
          className="deployed introduced"
          d={linesAt(
            deploys.filter(({ introduced }) => introduced.length > 0),
            begun,
          )}
        />
      </svg>
      <DeploysInWords deploys={deploys} />
      <PlotTable
        title="Failures by the hour"
        along={`hour, ${reading.zone}`}
        x={hourNames(begun, reading.zone)}
        lines={byCategory.map(({ category, hours: values }) => ({ name: category.replace("_", " "), values }))}
      />
    </figure>
  );
}

/** One shape a category, each bar on top of those before it. */
function stacked(
  byCategory: ByCategory,
  most: number,
): readonly { readonly category: string; readonly path: string }[] {
  const tops = new Map<number, number>();
  return byCategory.map(({ category, hours }) => {
    const bars = hours.map((n, at) => {
      const below = tops.get(at) ?? 0;
      const tall = n === 0 ? 0 : leastTall + (n / most) * (height - leastTall * byCategory.length);
      tops.set(at, below + tall);
      return n === 0 ? "" : `M${at} ${height - below}v${-tall}h${barWidth}v${tall}z`;
    });
    return { category, path: bars.join("") };
  });
}

/** What was deployed since then, newest first. Whoever may not see all of the office sees none. */
function useDeploys(since: number): readonly Deploy[] {
  const { data } = useAnswer("deploys.list", { limit: 20 });
  return data?.items.filter(({ deployedAt }) => Date.parse(deployedAt) >= since) ?? [];
}

function linesAt(deploys: readonly Deploy[], since: number): string {
  return deploys.map(({ deployedAt }) => `M${(Date.parse(deployedAt) - since) / hourMs} 0V${height}`).join("");
}

/** What the lines in the picture are. */
function DeploysInWords({ deploys }: { readonly deploys: readonly Deploy[] }) {
  const reading = useReading();
  if (deploys.length === 0) return null;
  return (
    <p className="muted">
      Deployed:{" "}
      {deploys.slice(0, deploysNamed).map(({ id, service, version, deployedAt, introduced }, at) => (
        <span key={id}>
          {at === 0 ? "" : " · "}
          {service} {version} at {showMoment(Date.parse(deployedAt), reading)}
          <Introduced groups={introduced} />
        </span>
      ))}
    </p>
  );
}

function Introduced({ groups }: { readonly groups: Deploy["introduced"] }) {
  const [first] = groups;
  if (first === undefined) return null;
  const others = groups.length - 1;
  return (
    <>
      , which introduced <Link to={pages.group(first.group)}>{first.group}</Link>
      {others === 0 ? "" : ` and ${others} more`}
    </>
  );
}
