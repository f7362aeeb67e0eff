import { describe, expect, it } from "vitest";
import { documentPrinter, isForPrograms, type OutputForm } from "./output-forms.ts";

const list = {
  items: [
    { id: "ltr_1", counts: { sent: 5 } },
    { id: "ltr_2", counts: { sent: 0 } },
  ],
  next: "x",
};

function written(form: OutputForm, document: object, fields: readonly string[] | null = null) {
  const [lines, notes] = [[] as string[], [] as string[]];
  const print = documentPrinter(
    { form, fields },
    {
      print: (text) => lines.push(text),
      note: (text) => notes.push(text),
      yaml: (value) => `yaml of ${JSON.stringify(value)}\n`,
    },
  );
  print(JSON.stringify(document));
  return { lines, notes };
}

describe("a document of a command", () => {
  it("is written as it is for --json, and a table is not touched", () => {
    expect(written("json", list).lines).toEqual([JSON.stringify(list)]);
    const untouched: string[] = [];
    documentPrinter(
      { form: "wide", fields: null },
      { print: (text) => untouched.push(text), note: () => {}, yaml: String },
    )("no JSON at all");
    expect(untouched).toEqual(["no JSON at all"]);
  });

  it("is an item a line, a name a line, or YAML", () => {
    expect(written("jsonl", list).lines).toEqual(list.items.map((item) => JSON.stringify(item)));
    expect(written("jsonl", { id: "rpl_1" }).lines).toEqual(['{"id":"rpl_1"}']);
    expect(written("name", list).lines).toEqual(["ltr_1", "ltr_2"]);
    expect(written("name", { items: [{ n: 1, letter: "ltr_1" }, { name: "eu" }, { n: 2 }] }).lines).toEqual([
      "ltr_1",
      "eu",
    ]);
    expect(written("yaml", { id: 1 }).lines).toEqual(['yaml of {"id":1}']);
  });

  it("has only the fields that are asked for, those inside others too, and says once what is not there", () => {
    const { lines, notes } = written("json", list, ["id", "counts.sent", "agee"]);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      items: [
        { id: "ltr_1", "counts.sent": 5, agee: null },
        { id: "ltr_2", "counts.sent": 0, agee: null },
      ],
      next: "x",
    });
    expect(notes).toEqual(["There is no field `agee`. There are id, counts."]);
    expect(written("jsonl", list, ["id"]).lines).toEqual(['{"id":"ltr_1"}', '{"id":"ltr_2"}']);
  });

  it("is for programs in every form but tables", () => {
    expect(isForPrograms({ form: "table", fields: null })).toBe(false);
    expect(isForPrograms({ form: "wide", fields: null })).toBe(false);
    expect(isForPrograms({ form: "table", fields: ["id"] })).toBe(true);
    expect(isForPrograms({ form: "name", fields: null })).toBe(true);
  });
});
