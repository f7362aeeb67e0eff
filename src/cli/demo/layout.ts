/** A box on the sheet, its border included. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything goes. */
export interface Layout {
  /** The columns that are drawn on: [left, right). */
  readonly left: number;
  readonly right: number;
  readonly caption: number;
  readonly upper: UpperBoxes;
  readonly lower: LowerBoxes;
  /** The row between the two rows of boxes. */
  readonly between: number;
  readonly gauges: number;
  readonly charts: number;
  readonly feed: { readonly y: number; readonly rows: number };
  readonly footer: number;
}

export type UpperBoxes = Readonly<Record<"checkout" | "queue" | "handlers" | "payments", Box>>;
export type LowerBoxes = Readonly<Record<"inbox" | "waiting" | "deadLetters" | "quarantine", Box>>;

export const leastColumns = 80;
export const leastRows = 24;

/** A wider picture is no clearer. */
const mostColumns = 132;
const arrowWidth = 3;
const captionRows = 2;
const gaugeRows = 2;
const chartRows = 3;

/** For at least `leastColumns` by `leastRows`; what there is beyond that makes boxes larger, then the feed longer. */
export function layOut(columns: number, rows: number): Layout {
  const width = Math.min(columns, mostColumns);
  const left = Math.floor((columns - width) / 2);
  const spare = rows - leastRows;
  // Air first, then what is in the boxes; the feed takes the rest.
  const air = Math.min(1, Math.floor(spare / 4));
  const growth = Math.floor(Math.max(0, spare - 3) / 3);
  const inUpper = 2 + Math.min(4, growth);
  const inLower = 2 + Math.min(2, growth);
  const caption = 2;
  const upperY = caption + captionRows + air;
  const between = upperY + inUpper + 2;
  const gauges = between + 1 + inLower + 2 + air;
  const charts = gauges + gaugeRows + air;
  const feedY = charts + chartRows + 1;
  const footer = rows - 1;
  const upper = upperBoxes({ left, width, y: upperY, height: inUpper + 2 });
  return {
    ...{ left, right: left + width, caption, between, gauges, charts, footer, upper },
    lower: lowerBoxes(upper, { left, width, y: between + 1, height: inLower + 2 }),
    feed: { y: feedY, rows: footer - feedY - air },
  };
}

interface Strip {
  readonly left: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
}

function upperBoxes({ left, width, y, height }: Strip): UpperBoxes {
  const spare = width - leastColumns;
  const box = (x: number, boxWidth: number): Box => ({ x, y, width: boxWidth, height });
  const checkout = box(left, 12 + Math.floor(spare * 0.1));
  const queue = box(endOf(checkout) + arrowWidth, 23 + Math.floor(spare * 0.35));
  const handlers = box(endOf(queue) + arrowWidth, 18 + Math.floor(spare * 0.3));
  const paymentsX = endOf(handlers) + arrowWidth;
  return { checkout, queue, handlers, payments: box(paymentsX, left + width - paymentsX) };
}

/** Each begins where an arrow from above can reach it: retries between queue and handlers, the dead below handlers. */
function lowerBoxes({ queue, handlers, payments }: UpperBoxes, { left, width, y, height }: Strip): LowerBoxes {
  const box = (x: number, end: number): Box => ({ x, y, width: end - x, height });
  return {
    inbox: box(left, queue.x - 1),
    waiting: box(queue.x, handlers.x + 3),
    deadLetters: box(handlers.x + 4, payments.x + 2),
    quarantine: box(payments.x + 3, left + width),
  };
}

export function endOf({ x, width }: Box): number {
  return x + width;
}
