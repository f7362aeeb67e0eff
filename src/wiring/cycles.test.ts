import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCycles } from "./cycles.ts";

describe("cycles", () => {
  it("are found in a chain of ten thousand that ends where it began", () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `q${index}`);
    const graph = new Map(names.map((name, index) => [name, [names[(index + 1) % names.length] ?? ""]]));
    expect(findCycles(graph).map((cycle) => cycle.length)).toEqual([10_000]);
    graph.set("q9999", []);
    expect(findCycles(graph)).toEqual([]);
  });

  it("include a queue that leads to itself, and leave out what does not exist", () => {
    expect(
      findCycles(
        new Map([
          ["a", ["a"]],
          ["b", ["nowhere"]],
        ]),
      ),
    ).toEqual([["a"]]);
  });

  it("hold exactly the names from which one can get back to where one was", () => {
    const name = fc.constantFrom("a", "b", "c", "d", "e", "__proto__");
    const edges = fc.uniqueArray(fc.tuple(name, fc.uniqueArray(name)), { selector: ([from]) => from });
    fc.assert(
      fc.property(edges, (list) => {
        const graph = new Map(list);
        const round = [...graph.keys()].filter((each) => reachable(graph, each).has(each));
        const cycles = findCycles(graph);
        expect(cycles.flat().sort()).toEqual(round.sort());
        for (const cycle of cycles) {
          for (const one of cycle) for (const other of cycle) expect(reachable(graph, one).has(other)).toBe(true);
        }
      }),
    );
  });
});

/** All that can be got to from a name, in one step or more. */
function reachable(graph: ReadonlyMap<string, readonly string[]>, from: string): Set<string> {
  const seen = new Set<string>();
  const todo = [...(graph.get(from) ?? [])];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (seen.has(next) || !graph.has(next)) continue;
    seen.add(next);
    todo.push(...(graph.get(next) ?? []));
  }
  return seen;
}
