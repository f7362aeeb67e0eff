import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildKnowledge } from "./knowledge.ts";
import { readTable } from "./read-table.ts";
import { systemLanguages, systemNames, systemWords } from "./systems.ts";
import { tables } from "./tables.ts";

const rows = tables.flatMap(readTable);

describe("the tables", () => {
  it("are all there", () => {
    const others = ["knowledge.ts", "knowledge.test.ts", "read-table.ts", "systems.ts", "tables.ts"];
    const files = readdirSync(import.meta.dirname).filter((name) => !others.includes(name));
    expect(tables).toHaveLength(files.length);
  });

  it("say nothing twice: a system's code, class or text has one meaning", () => {
    const keys = rows.map(({ system, kind, key }) => `${system} ${kind} ${key}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it("are sure of what decides, and of nothing else", () => {
    expect(rows.filter(({ category, confidence }) => (category === null) !== (confidence === 0))).toEqual([]);
  });

  it("have keys without spaces at the ends", () => {
    expect(rows.filter(({ key }) => key === "" || key !== key.trim())).toEqual([]);
  });

  it("give each system with codes that are bare numbers words to recognise it by", () => {
    const numbered = rows.filter(({ kind, key }) => kind === "code" && /^-?\d+$/.test(key)).map(({ system }) => system);
    expect([...new Set(numbered)].filter((system) => !Object.hasOwn(systemWords, system))).toEqual([]);
  });

  it("name only systems that have rows", () => {
    const systems = new Set(rows.map(({ system }) => system));
    const named = [systemWords, systemLanguages, systemNames].flatMap(Object.keys);
    expect(named.filter((system) => !systems.has(system))).toEqual([]);
  });
});

it.each(["x95 A", "t9 A", "t95A", "# a nothing"])("refuses the line %s", (line) => {
  expect(() => readTable(`# a code\n${line}\n`)).toThrow(TypeError);
});

describe("looking up", () => {
  const { findClass, findCode } = buildKnowledge();
  const none: ReadonlySet<string> = new Set();

  it("finds a class by its whole name and by its own", () => {
    expect(findClass("java.net.ConnectException", "java")).toMatchObject({ row: { category: "transient" } });
    expect(findClass("com.shop.UnrecognizedPropertyException", "java")).toMatchObject({
      row: { category: "schema_mismatch" },
    });
  });

  it("does not mistake a common name for that of another language", () => {
    expect(findClass("KeyError", "elixir")).toBeUndefined();
    expect(findClass("KeyError", "python")).toMatchObject({ row: { category: "poison" } });
  });

  it("finds a code however it is spelt", () => {
    for (const code of ["RESOURCE_EXHAUSTED", "resource-exhausted", "ResourceExhausted"])
      expect(findCode(code, new Set(["grpc"]))).toMatchObject({ row: { category: "transient" } });
  });

  it("reads the first two characters of a SQLSTATE it does not know", () => {
    expect(findCode("08ZZZ", new Set(["mysql"]))).toMatchObject({ row: { key: "08" } });
    expect(findCode("08ZZZ", none)).toBeUndefined();
  });
});
