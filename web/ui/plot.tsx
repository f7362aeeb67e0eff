import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { PlotTable } from "./plot-table.tsx";

export interface PlotLine {
  readonly name: string;
  readonly values: readonly number[];
  /** A limit, drawn dashed. @default false */
  readonly isLimit?: boolean;
}

export interface PlotProps {
  readonly title: string;
  /** What is counted along the bottom, with its unit. */
  readonly along: string;
  readonly x: readonly number[];
  readonly lines: readonly PlotLine[];
}

/** Told apart by everybody, also by those who see fewer colours; the legend names each. */
const colours = ["--graphic", "--plot-2", "--plot-3", "--plot-4", "--plot-5"];
const height = 240;

/** Lines over one axis, from zero. A canvas tells nothing to who cannot see it, so the same figures are in a table. */
export function Plot({ title, along, x, lines }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const plot = new uPlot(optionsOf({ along, lines, width: parent.clientWidth }), dataOf(x, lines), parent);
    const resize = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height }));
    const theme = new MutationObserver(() => plot.redraw());
    resize.observe(parent);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      resize.disconnect();
      theme.disconnect();
      plot.destroy();
    };
  }, [along, x, lines]);
  return (
    <figure className="plot">
      <figcaption>{title}</figcaption>
      <div ref={place} role="img" aria-label={`${title}: ${lines.map(({ name }) => name).join(", ")}`} />
      <PlotTable title={title} along={along} x={x} lines={lines} />
    </figure>
  );
}

function dataOf(x: readonly number[], lines: readonly PlotLine[]): uPlot.AlignedData {
  return [[...x], ...lines.map(({ values }) => [...values])];
}

function optionsOf({
  along,
  lines,
  width,
}: Pick<PlotProps, "along" | "lines"> & { readonly width: number }): uPlot.Options {
  const axis = { stroke: () => colourOf("--muted"), grid: { stroke: () => colourOf("--line"), width: 1 } };
  return {
    width,
    height,
    scales: { x: { time: false }, y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.05)] } },
    axes: [
      { ...axis, label: along, labelSize: 20, size: 34 },
      { ...axis, size: 56 },
    ],
    series: [{ label: along }, ...lines.map(seriesOf)],
  };
}

function seriesOf({ name, isLimit = false }: PlotLine, index: number): uPlot.Series {
  const stroke = () => colourOf(isLimit ? "--muted" : (colours[index % colours.length] ?? "--graphic"));
  return { label: name, stroke, width: isLimit ? 1 : 2, points: { show: false }, ...(isLimit ? { dash: [6, 4] } : {}) };
}

/** A canvas knows no custom properties: the page says what one comes to, in the theme of the moment. */
function colourOf(name: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
