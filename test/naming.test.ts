import { expect, it } from "vitest";
import { nodesOf, placeOf, type Source, sourcesUnder } from "./sources.ts";

const sources = sourcesUnder("src", "test", "bench", "examples", "scripts", "bin", "launcher");

/** Names that say what kind of syntax a file holds, or nothing, instead of what it is about. */
const emptyName = /^(classes|common|constants|enums|helpers?|index|interfaces|misc|shared|types?|utils?)$/;
const emptyPart = /(^|-)(common|helpers?|impl|manager|misc|utils?)(-|$)/;
/** The doors of the package are the only files called index. */
const doors = ["src/index.ts"];

it("names files and folders for what they are about", () => {
  const empty = sources
    .filter(({ path }) => !doors.includes(path))
    .filter(({ path }) => partsOf(path).some((part) => emptyName.test(part) || emptyPart.test(part)));
  expect(empty.map(({ path }) => path)).toEqual([]);
});

it("writes the names of files and folders in kebab case", () => {
  const others = sources.filter(({ path }) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+([-.][a-z0-9]+)*$/.test(path));
  expect(others.map(({ path }) => path)).toEqual([]);
});

it("names declarations without empty words", () => {
  const empty = /^[A-Z].*(Impl|Manager|Service|Helper|Utils?)$|^(Abstract|Base)[A-Z]|^I[A-Z][a-z]/;
  const found = sources.flatMap((source) => declaredNames(source).filter(({ name }) => empty.test(name)));
  expect(found).toEqual([]);
});

it("leaves nothing to do in comments, and draws no banners", () => {
  const idle = /\b(TODO|FIXME|XXX|HACK)\b|[=*#~]{5,}|^\s*-{5,}/;
  const found = sources.flatMap((source) =>
    source.comments.filter(({ value }) => idle.test(value)).map(({ start }) => placeOf(source, start)),
  );
  expect(found).toEqual([]);
});

function partsOf(path: string): string[] {
  return path.split("/").map((part) => part.replace(/(\.test)?\.\w+$/, ""));
}

function declaredNames(source: Source): { readonly name: string; readonly place: string }[] {
  return [...nodesOf(source)].flatMap(({ node }) => {
    const named = /Declarat(ion|or)$/.test(node.type) && "id" in node ? node.id : null;
    return named?.type === "Identifier" ? [{ name: named.name, place: placeOf(source, node.start) }] : [];
  });
}
