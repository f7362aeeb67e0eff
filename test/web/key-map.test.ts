import { expect, it } from "vitest";
import { type KeyMap, keyFor, meaningOf, plainKeys, readKeyMap, singleKeys, withKey } from "../../web/app/key-map.ts";

function changed(map: KeyMap, ...[own, key]: [Parameters<typeof withKey>[1], string]): KeyMap {
  const next = withKey(map, own, key);
  if ("refused" in next) throw new Error(next.refused);
  return next;
}

it("means by each key what it has by itself, until another is chosen", () => {
  for (const [own] of singleKeys) expect([keyFor(plainKeys, own), meaningOf(plainKeys, own)]).toEqual([own, own]);
  expect(meaningOf(plainKeys, "q")).toBeNull();
  const map = changed(plainKeys, "j", "n".toUpperCase());
  expect([meaningOf(map, "N"), meaningOf(map, "j"), keyFor(map, "j")]).toEqual(["j", null, "N"]);
  expect(changed(map, "j", "j")).toEqual(plainKeys);
});

it("lets a key be nothing, and all of them", () => {
  const map = changed(plainKeys, "r", "");
  expect([keyFor(map, "r"), meaningOf(map, "r"), meaningOf(map, "")]).toEqual([null, null, null]);
  const off = { ...plainKeys, isOff: true };
  for (const [own] of singleKeys) expect([keyFor(off, own), meaningOf(off, own)]).toEqual([null, null]);
});

it("refuses a key that is taken, and what is no key, and takes one that was given up", () => {
  expect(withKey(plainKeys, "j", "k")).toEqual({ refused: "k is taken: previous row." });
  expect(withKey(plainKeys, "j", "ab")).toMatchObject({ refused: expect.stringContaining("One key alone") as string });
  const map = changed(changed(plainKeys, "k", ""), "j", "k");
  expect([meaningOf(map, "k"), keyFor(map, "k")]).toEqual(["j", null]);
});

it("reads what was kept, and takes what it cannot read for nothing", () => {
  const map = changed({ ...plainKeys, isOff: true }, "x", "s");
  expect(readKeyMap(JSON.stringify(map))).toEqual(map);
  for (const kept of [null, "", "{", '"a"', '{"chosen":{"x":7,"nothing":"q"}}'])
    expect(readKeyMap(kept)).toEqual(plainKeys);
});
