import fc from "fast-check";
import { expect, it } from "vitest";
import { assignLanes, type Claim } from "./assignment.ts";

const claim = (memberId: string, lanes: readonly number[] = [], more: Partial<Claim> = {}): Claim => ({
  ...{ memberId, queue: "q", topics: ["q"], lanes, generation: 1, isLeaving: false },
  ...more,
});

const ascending = (a: number, b: number) => a - b;

it("gives all lanes away, as evenly as can be", () => {
  const assigned = assignLanes([claim("a"), claim("b"), claim("c")], 8);
  expect([...assigned.values()].map((lanes) => lanes.length).toSorted(ascending)).toEqual([2, 3, 3]);
  expect([...assigned.values()].flat().toSorted(ascending)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

it("gives a lane that has to move to nobody, until its owner has given it up", () => {
  const first = assignLanes([claim("a", [0, 1, 2, 3]), claim("b")], 4);
  expect([first.get("a"), first.get("b")]).toEqual([[0, 1], []]);
  const second = assignLanes([claim("a", [0, 1]), claim("b")], 4);
  expect([second.get("a"), second.get("b")]).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

it("leaves everybody what he has when nothing has to move", () => {
  const assigned = assignLanes([claim("a", [3, 1]), claim("b", [0, 2])], 4);
  expect([assigned.get("a"), assigned.get("b")]).toEqual([
    [1, 3],
    [0, 2],
  ]);
});

it("lets whoever leaves keep what he is at work on, and gives him nothing new", () => {
  const assigned = assignLanes([claim("a", [0], { isLeaving: true }), claim("b", [1])], 4);
  expect([assigned.get("a"), assigned.get("b")]).toEqual([[0], [1, 2, 3]]);
});

it("believes the later of two who claim a lane", () => {
  const assigned = assignLanes([claim("zombie", [0, 1], { generation: 1 }), claim("b", [0, 1], { generation: 2 })], 2);
  expect(assigned.get("b")).toEqual([0]);
  expect(assigned.get("zombie")).toEqual([]);
});

it("forgets lanes that are no longer there", () => {
  expect(assignLanes([claim("a", [0, 7])], 2).get("a")).toEqual([0, 1]);
});

it("settles within a few rounds, whoever comes and goes, and never gives a lane to two", () => {
  const events = fc.array(fc.record({ joins: fc.boolean(), pick: fc.nat() }), { maxLength: 30 });
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 12 }), (all, laneCount) => {
      let members = new Map<string, readonly number[]>([["m0", []]]);
      const round = () => {
        const claims = Array.from(members, ([memberId, lanes]) => claim(memberId, lanes));
        const assigned = assignLanes(claims, laneCount);
        const given = [...assigned.values()].flat();
        expect(new Set(given).size).toBe(given.length);
        for (const [lane, owner] of claims.flatMap(({ memberId, lanes }) =>
          lanes.map((one) => [one, memberId] as const),
        )) {
          for (const [other, lanes] of assigned) expect(other === owner || !lanes.includes(lane)).toBe(true);
        }
        members = new Map(assigned);
      };
      for (const [index, { joins, pick }] of all.entries()) {
        if (joins || members.size < 2) members.set(`m${index + 1}`, []);
        else members.delete([...members.keys()][pick % members.size] ?? "");
        round();
      }
      for (let rounds = 0; rounds < 3; rounds++) round();
      const sizes = [...members.values()].map((lanes) => lanes.length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(laneCount);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});
