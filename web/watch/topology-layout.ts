import type { OutputOf } from "../../src/office/operations/operations.ts";

export type Topology = OutputOf<"topology.get">;
export type TopologyQueue = Topology["sources"][number]["queues"][number];

export const box = { width: 210, height: 42 } as const;
const columns = { queue: 8, service: 292, "dead letters": 576 } as const;
const rowHeight = 62;
const headingHeight = 34;
export const ledgerBox = { x: 868, width: 78 } as const;
export const drawingWidth = ledgerBox.x + ledgerBox.width + 8;

export interface DrawnBox {
  readonly key: string;
  readonly kind: keyof typeof columns;
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly about: string;
  /** What it leads to, as a focus. */
  readonly focus: string;
  readonly isWarned: boolean;
}

export interface DrawnLine {
  readonly key: string;
  readonly path: string;
  readonly kind: "goes" | "replayed";
  /** How much comes: nothing, some, much. */
  readonly weight: 1 | 2 | 3;
  /** Said beside it, where something stands in the way. */
  readonly label: { readonly x: number; readonly y: number; readonly text: string } | null;
}

export interface Drawing {
  readonly height: number;
  readonly headings: readonly { readonly y: number; readonly text: string }[];
  readonly boxes: readonly DrawnBox[];
  readonly lines: readonly DrawnLine[];
}

/** Places what is to be drawn: a band for each source, a row for each queue, in the order the server has them: nothing jumps. */
export function layOut({ sources }: Topology): Drawing {
  const sheet = new Sheet();
  for (const source of sources) sheet.source(source);
  return sheet.drawing();
}

class Sheet {
  readonly #boxes = new Map<string, DrawnBox>();
  readonly #lines = new Map<string, DrawnLine>();
  readonly #headings: { readonly y: number; readonly text: string }[] = [];
  #y = 4;

  source({ name, broker, owner, queues, leftOut, quiet }: Topology["sources"][number]): void {
    this.#headings.push({ y: this.#y + 18, text: [name, broker, owner].filter(Boolean).join(" · ") });
    this.#y += headingHeight;
    for (const queue of queues) this.#queue(name, queue);
    if (leftOut.queues > 0) {
      this.#headings.push({ y: this.#y + 14, text: `${moreQueues(leftOut)}, not drawn` });
      this.#y += headingHeight;
    }
    // Only now every queue that has a row is there to be led back to.
    const targets = queues.flatMap(({ replaysTo }) => replaysTo.map(({ queue }) => queue));
    for (const target of new Set(targets)) this.#back(this.#target(name, target));
    for (const { name: dead, fate } of quiet) {
      const placed = this.#box("dead letters", { name: dead, about: fate, focus: name, key: `${name}/${dead}` });
      if (fate === "drained") this.#toLedger(placed, 1);
      this.#y += rowHeight;
    }
    this.#y += 10;
  }

  #queue(source: string, queue: TopologyQueue): void {
    const top = this.#y;
    const [open, isWarned] = [queue.open.toLocaleString("en"), queue.warnings.length > 0];
    const place = `${source}/${queue.name}`;
    const origin = this.#box("queue", {
      ...{ key: place, name: queue.name, about: `${open} open`, focus: place, isWarned },
    });
    const names = [...new Set(queue.consumers.map(({ service }) => service))];
    const services = names.map((service, row) => {
      const about = atWork(queue.consumers.filter((each) => each.service === service));
      const placed = { key: `${place} ${service}`, name: service, about, focus: service };
      return this.#box("service", placed, top + row * rowHeight);
    });
    const tripped = queue.breakers.filter(({ state }) => state !== "closed").map((each) => `${each.state}`);
    for (const service of services) this.#line(origin, service, weightOf(queue), tripped[0] ?? "");
    this.#dead(source, queue, services.length === 0 ? [origin] : services);
    this.#y = top + rowHeight * Math.max(1, services.length, queue.deadLetters.length);
  }

  #dead(source: string, queue: TopologyQueue, from: readonly DrawnBox[]): void {
    const top = this.#y;
    for (const [row, { name, fate }] of queue.deadLetters.entries()) {
      const placed = { key: `${source}/${name}`, name, about: fate, focus: `${source}/${name}` };
      const letters = this.#box("dead letters", placed, top + row * rowHeight);
      for (const each of from) this.#line(each, letters, weightOf(queue), "");
      if (fate === "drained" || fate === "read in place") this.#toLedger(letters, weightOf(queue));
    }
  }

  /** A queue that letters are sent to; one without a row of its own gets one. */
  #target(source: string, name: string): DrawnBox {
    const key = `${source}/${name}`;
    const known = this.#boxes.get(`queue ${key}`);
    const placed = known ?? this.#box("queue", { key, name, about: "replays go here", focus: key });
    if (known === undefined) this.#y += rowHeight;
    return placed;
  }

  #box(
    kind: DrawnBox["kind"],
    { key, ...given }: Pick<DrawnBox, "key" | "name" | "about" | "focus"> & { readonly isWarned?: boolean },
    y = this.#y,
  ): DrawnBox {
    const name = `${kind} ${key}`;
    const known = this.#boxes.get(name);
    if (known !== undefined) return known;
    const placed: DrawnBox = { isWarned: false, ...given, key: name, kind, x: columns[kind], y };
    this.#boxes.set(name, placed);
    return placed;
  }

  #line(from: DrawnBox, to: DrawnBox, weight: DrawnLine["weight"], text: string): void {
    const [x1, y1, x2, y2] = [from.x + box.width, middleOf(from), to.x, middleOf(to)];
    const bend = (x1 + x2) / 2;
    const path = `M${x1} ${y1} C${bend} ${y1} ${bend} ${y2} ${x2 - 6} ${y2}`;
    const label = text === "" ? null : { x: bend, y: (y1 + y2) / 2 - 7, text };
    const key = `${from.key} ${to.key}`;
    this.#lines.set(key, { key, path, kind: "goes", weight, label });
  }

  #toLedger(from: DrawnBox, weight: DrawnLine["weight"]): void {
    const path = `M${from.x + box.width} ${middleOf(from)} H${ledgerBox.x - 6}`;
    this.#lines.set(from.key, { key: from.key, path, kind: "goes", weight, label: null });
  }

  /** From the ledger along the bottom of the row, and up into the queue. */
  #back(to: DrawnBox): void {
    const [bottom, x] = [to.y + box.height, to.x + 26];
    const key = `back ${to.key}`;
    const path = `M${ledgerBox.x} ${bottom + 12} H${x} V${bottom + 6}`;
    this.#lines.set(key, { key, path, kind: "replayed", weight: 1, label: null });
  }

  drawing(): Drawing {
    const [boxes, lines] = [[...this.#boxes.values()], [...this.#lines.values()]];
    return { height: this.#y, headings: this.#headings, boxes, lines };
  }
}

/** `440 more queues with 8,901 open letters`. */
export function moreQueues({ queues, open }: Topology["sources"][number]["leftOut"]): string {
  const more = `${queues.toLocaleString("en")} more ${queues === 1 ? "queue" : "queues"}`;
  return `${more} with ${open === 0 ? "no" : open.toLocaleString("en")} open ${open === 1 ? "letter" : "letters"}`;
}

/** All versions of a service: in a rolling deploy there are two, and both count. */
function atWork(versions: TopologyQueue["consumers"]): string {
  const instances = versions.reduce((sum, each) => sum + each.instances, 0);
  const called = versions.length === 1 ? (versions[0]?.version ?? "") : `${versions.length} versions`;
  return instances === 0 ? `${called}, gone` : `${called} × ${instances}`;
}

function middleOf({ y }: DrawnBox): number {
  return y + box.height / 2;
}

function weightOf({ failedLately }: TopologyQueue): DrawnLine["weight"] {
  return failedLately === 0 ? 1 : failedLately < 100 ? 2 : 3;
}

/** Names differ at both ends, so the middle goes. */
export function shortened(name: string, most = 27): string {
  const characters = [...name];
  if (characters.length <= most) return name;
  const half = Math.floor((most - 1) / 2);
  return `${characters.slice(0, half).join("")}…${characters.slice(-half).join("")}`;
}
