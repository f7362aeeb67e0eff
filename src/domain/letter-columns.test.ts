import { expect, it } from "vitest";
import { columnsIn, usualColumns } from "./letter-columns.ts";

it("takes the columns there are, in their own order, and the usual ones where none is named", () => {
  expect(columnsIn("age, nonsense,error")).toEqual(["error", "age"]);
  expect(columnsIn("age"), "a list without links").toEqual(["error", "age"]);
  expect(columnsIn("")).toEqual(usualColumns);
  expect(columnsIn("nonsense")).toEqual(usualColumns);
});
