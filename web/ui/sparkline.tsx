const [width, height] = [4, 18];

/** How many failed, by the hour, the running hour last. */
export function Sparkline({ hours }: { readonly hours: readonly number[] }) {
  const most = Math.max(1, ...hours);
  const total = hours.reduce((sum, n) => sum + n, 0);
  // One shape for all: an inbox has hundreds of these, and a browser takes its time over every element.
  const bars = hours.map((n, index) => {
    const tall = n === 0 ? 1 : Math.max(2, (n / most) * height);
    return `M${index * width} ${height}v${-tall}h${width - 1}v${tall}z`;
  });
  return (
    <svg
      className="sparkline"
      role="img"
      aria-label={`${total} failed in 24 hours, at most ${Math.max(0, ...hours)} in one`}
      viewBox={`0 0 ${hours.length * width} ${height}`}
      width={hours.length * width}
      height={height}
    >
      <path d={bars.join("")} />
    </svg>
  );
}
