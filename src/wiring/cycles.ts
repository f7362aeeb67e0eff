/**
 * Circles in which messages can go round: each set of names that all lead to each other, and each name that leads to
 * itself. Tarjan's strongly connected components, with a stack of its own: a chain of ten thousand queues must not end
 * in a stack overflow.
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const search: Search = { graph, order: new Map(), low: new Map(), open: [], isOpen: new Set(), found: [] };
  for (const name of graph.keys()) if (!search.order.has(name)) explore(name, search);
  return search.found.filter(([first = "", ...others]) => others.length > 0 || graph.get(first)?.includes(first));
}

interface Search {
  readonly graph: ReadonlyMap<string, readonly string[]>;
  readonly order: Map<string, number>;
  readonly low: Map<string, number>;
  readonly open: string[];
  readonly isOpen: Set<string>;
  readonly found: string[][];
}

function explore(start: string, search: Search): void {
  const path = [enter(start, search)];
  while (path.length > 0) {
    const step = path.at(-1);
    const next = step?.rest.pop();
    if (step === undefined) return;
    if (next === undefined) {
      path.pop();
      leave(step.name, path.at(-1)?.name, search);
    } else if (!search.order.has(next)) path.push(enter(next, search));
    else if (search.isOpen.has(next)) lower(step.name, search.order.get(next), search);
  }
}

function enter(name: string, { graph, order, low, open, isOpen }: Search) {
  const number = order.size;
  order.set(name, number);
  low.set(name, number);
  open.push(name);
  isOpen.add(name);
  return { name, rest: (graph.get(name) ?? []).filter((next) => graph.has(next)).reverse() };
}

function leave(name: string, before: string | undefined, search: Search): void {
  const { order, low, open, isOpen, found } = search;
  if (before !== undefined) lower(before, low.get(name), search);
  if (low.get(name) !== order.get(name)) return;
  const component = open.splice(open.lastIndexOf(name));
  for (const each of component) isOpen.delete(each);
  found.push(component);
}

function lower(name: string, to: number | undefined, { low }: Search): void {
  low.set(name, Math.min(low.get(name) ?? Number.POSITIVE_INFINITY, to ?? Number.POSITIVE_INFINITY));
}
