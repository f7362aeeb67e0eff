/** Something that will happen, unless its owner is gone by then. */
export interface ScheduledEvent<Owner> {
  /** Virtual milliseconds. */
  at: number;
  /** Decides among those due at the same millisecond: rolled, so that every order of them is tried by some seed. */
  tie: number;
  readonly owner: Owner;
  /** Undefined once it is cancelled. */
  run: (() => void) | undefined;
}

export interface EventQueue<Owner> {
  push(event: ScheduledEvent<Owner>): void;
  pop(): ScheduledEvent<Owner> | undefined;
}

/** Earliest first: a binary heap. */
export function eventQueue<Owner>(): EventQueue<Owner> {
  const heap: ScheduledEvent<Owner>[] = [];
  return {
    push(event) {
      heap.push(event);
      siftUp(heap, heap.length - 1);
    },
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || first === last) return first;
      heap[0] = last;
      siftDown(heap, 0);
      return first;
    },
  };
}

function siftUp<Owner>(heap: ScheduledEvent<Owner>[], start: number): void {
  let child = start;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!swapIfEarlier(heap, child, parent)) return;
    child = parent;
  }
}

function siftDown<Owner>(heap: ScheduledEvent<Owner>[], start: number): void {
  let parent = start;
  while (true) {
    const left = 2 * parent + 1;
    const child = isEarlier(heap[left + 1], heap[left]) ? left + 1 : left;
    if (!swapIfEarlier(heap, child, parent)) return;
    parent = child;
  }
}

function swapIfEarlier<Owner>(heap: ScheduledEvent<Owner>[], child: number, parent: number): boolean {
  const [lower, upper] = [heap[child], heap[parent]];
  if (lower === undefined || upper === undefined || !isEarlier(lower, upper)) return false;
  heap[parent] = lower;
  heap[child] = upper;
  return true;
}

function isEarlier<Owner>(a: ScheduledEvent<Owner> | undefined, b: ScheduledEvent<Owner> | undefined): boolean {
  if (a === undefined || b === undefined) return a !== undefined;
  return a.at < b.at || (a.at === b.at && a.tie < b.tie);
}
