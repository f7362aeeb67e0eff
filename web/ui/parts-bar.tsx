import { showCount } from "./counts.ts";

export interface BarPart {
  readonly name: string;
  readonly n: number;
  /** Which of the colours of outcomes; the name beside it says the same. */
  readonly tone: "good" | "likely" | "waiting" | "rest" | "doubt" | "bad" | "out";
}

const width = 1_000;
const height = 12;
const gap = 2;

/** Parts of a whole, drawn and named; whatever is zero is left out. They always sum to what the whole is. */
export function PartsBar({ parts, label }: { readonly parts: readonly BarPart[]; readonly label: string }) {
  const shown = parts.filter(({ n }) => n > 0);
  return (
    <figure className="parts">
      <Bar parts={shown} label={label} />
      <figcaption>
        {shown.map(({ name, n, tone }) => (
          <span key={name}>
            <i className={`swatch ${tone}`} aria-hidden="true" />
            <b>{showCount(n)}</b> {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

export function Bar({ parts, label }: { readonly parts: readonly BarPart[]; readonly label: string }) {
  const total = Math.max(
    1,
    parts.reduce((sum, { n }) => sum + n, 0),
  );
  let left = 0;
  const words = parts.map(({ name, n }) => `${showCount(n)} ${name}`).join(", ");
  return (
    <svg className="bar-of" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img">
      <title>{`${label}: ${words || "nothing"}`}</title>
      {parts.map(({ name, n, tone }) => {
        const x = left;
        left += (n / total) * width;
        return <rect key={name} className={tone} x={x} y={0} width={Math.max(1, left - x - gap)} height={height} />;
      })}
    </svg>
  );
}
