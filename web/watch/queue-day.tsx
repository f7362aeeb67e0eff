import { useReading } from "../app/display-zone.ts";
import { showCount } from "../ui/counts.ts";
import { firstHourBegan, hourNames } from "../ui/last-hours.ts";
import { PlotTable } from "../ui/plot-table.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import "./queue-day.css";

/** What failed in a queue in the last 24 hours: whether it is growing, at a glance. */
export function QueueDay({ hours }: { readonly hours: readonly number[] }) {
  const { zone } = useReading();
  const total = hours.reduce((sum, n) => sum + n, 0);
  if (total === 0) return <p className="muted">Nothing failed in the last 24 hours.</p>;
  return (
    <figure className="queue-day">
      <figcaption className="muted">
        {showCount(total)} failed in 24 h, {showCount(hours.at(-1) ?? 0)} of them in the running hour
      </figcaption>
      <Sparkline hours={hours} />
      <PlotTable
        title="Failures by the hour"
        along={`hour, ${zone}`}
        x={hourNames(firstHourBegan(), zone)}
        lines={[{ name: "failed", values: hours }]}
      />
    </figure>
  );
}
