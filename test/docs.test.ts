import { posix } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { optionSections } from "../scripts/reference/option-sections.ts";
import { optionsOf } from "../scripts/reference/option-tables.ts";
import { withGenerated } from "../scripts/write-reference.ts";
import { cheats } from "../src/cli/cheat/cheats.ts";
import { commandTable } from "../src/cli/commands.ts";
import { findCommand } from "../src/cli/find-command.ts";
import { globalFlags, splitWords } from "../src/cli/global-flags.ts";
import { parseFlags } from "../src/cli/parse-flags.ts";
import { brokerGuides } from "../src/doctor/broker-guides.ts";
import { errorCodes } from "../src/domain/errors.ts";
import { deadLetterReasons, wire } from "../src/domain/wire.ts";
import { declaredEvents } from "./documents/declared-events.ts";
import { existingDoors } from "./documents/doors.ts";
import { exportedNames } from "./documents/exported-names.ts";
import { type Page, readPages } from "./documents/pages.ts";
import { programsOf } from "./documents/programs.ts";
import { Workshop } from "./documents/workshop.ts";

const pages = readPages();
const minuteMs = 60_000;

describe("code in the documents", () => {
  const workshop = new Workshop();
  const programs = pages.flatMap(programsOf);
  afterAll(() => workshop.clear());

  it("is found wherever a fence opens", () => {
    const fences = pages.flatMap(({ text }) => text.match(/^```ts\b/gm) ?? []);
    expect(programs).toHaveLength(fences.length);
  });

  it("compiles against the doors of the package", { timeout: minuteMs }, async () => {
    expect(await workshop.compile(programs)).toEqual([]);
  });

  // What starts a database is run with the examples, in test/journeys.
  it.concurrent.each(programs.filter(({ runs }) => runs === "alone"))(
    "runs and prints what the page shows: $name",
    { timeout: minuteMs },
    async (program) => {
      expect(await workshop.run(program)).toEqual({ exitCode: 0, stderr: "", stdout: program.output ?? "" });
    },
  );
});

describe("commands in the documents", () => {
  const lines = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:npx |`)dlo ([^`|\n]*)/g)].map(([, line = ""]) => ({ path, line: line.trim() })),
  );
  const copied = Object.values(cheats).flatMap(({ lines: own }) => own.map(({ line }) => line.slice("dlo ".length)));

  it("are understood by the command line, options and all", () => {
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter(({ line }) => complaintAbout(line) !== undefined)).toEqual([]);
  });

  it("are understood as well where `dlo cheat` offers them to be copied", () => {
    expect(copied.filter((line) => complaintAbout(line) !== undefined)).toEqual([]);
  });
});

describe("links", () => {
  const byPath = new Map(pages.map((page) => [page.path, page]));

  it("lead to headings that exist", () => {
    const lost = pages.flatMap((page) =>
      page.links
        .filter(({ to }) => to.includes("#") && !to.includes(":"))
        .filter(({ to }) => !leadsSomewhere(page, to)),
    );
    expect(lost).toEqual([]);
  });

  it("reach every document from the list of all of them", () => {
    const listed = new Set(byPath.get("docs/README.md")?.links.map(({ to }) => posix.join("docs", to)));
    const documents = pages.map(({ path }) => path).filter((path) => path.startsWith("docs/"));
    expect(documents.filter((path) => !listed.has(path) && path !== "docs/README.md")).toEqual([]);
  });

  function leadsSomewhere(from: Page, to: string): boolean {
    const [path = "", anchor = ""] = to.split("#");
    const page = path === "" ? from : byPath.get(posix.join(posix.dirname(from.path), path));
    return page?.anchors.has(anchor) ?? false;
  }
});

describe("generated tables", () => {
  it.each(pages.filter(({ text }) => text.includes("<!-- generated:")))(
    "are what the code says now: $path (npx node scripts/write-reference.ts)",
    ({ text }) => {
      expect(text).toBe(withGenerated(text));
    },
  );
});

describe("the guides", () => {
  it.each([
    ["bullmq", "jobs"],
    ["laravel", "jobs"],
    ["rabbitmq", "rabbitmq"],
    ["kafka", "kafka"],
    ["postgres", "postgresql"],
  ] as const)("have the least rights of %s as the pages show them", (broker, guide) => {
    const text = pages.find(({ path }) => path.endsWith(`guides/${guide}.md`))?.text ?? "";
    const lost = brokerGuides[broker].rights.filter(({ remedy }) => !text.includes(`\n${remedy}\n`));
    expect(lost).toEqual([]);
  });
});

describe("the reference", () => {
  it("has the options of every factory", () => {
    const types = new Set(optionSections.flatMap(({ declared }) => declared.map(({ type }) => type)));
    // One of several, each of which has a table of its own.
    const unions = ["BackoffOptions"];
    const exported = [...existingDoors().values()].flatMap(exportedNames).filter((name) => /Options$/.test(name));
    expect([...new Set(exported)].filter((name) => !types.has(name) && !unions.includes(name))).toEqual([]);
  });

  it("gives the defaults that the code uses", () => {
    const wrong = optionSections.flatMap((section) => {
      const used = new Map<string, unknown>(Object.entries(section.defaults ?? {}));
      return optionsOf(section)
        .filter(
          (option) => isPlain(used.get(option.name)) && !literalsIn(option.default).includes(used.get(option.name)),
        )
        .map((option) => `${section.title}.${option.name}: ${option.default} is ${String(used.get(option.name))}`);
    });
    expect(wrong).toEqual([]);
  });

  it("tells of every event, with its fields", () => {
    const rows = rowsOf("docs/reference/events.md", /^\| `([\w-]+)` \| [^|]* \|((?: `\w+`,?)*) \|$/gm);
    expect(rows).toEqual(
      declaredEvents().map(({ type, fields }) => [type, fields.map((field) => `\`${field}\``).join(", ")]),
    );
  });

  it("tells of every error code", () => {
    const rows = rowsOf("docs/reference/errors.md", /^\| `([A-Z_]+)` \| (.+) \|$/gm).filter(([, rest]) =>
      rest?.includes(" | "),
    );
    expect(rows.map(([code]) => code)).toEqual([...errorCodes]);
  });

  it("tells of every header and every reason on the wire", () => {
    const text = pages.find(({ path }) => path === "docs/reference/wire.md")?.text ?? "";
    const names = [...Object.values(wire), ...deadLetterReasons];
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

/** What the command line would refuse about this line; undefined if it would run it. */
function complaintAbout(line: string): string | undefined {
  const { words, rest } = splitWords(shellWords(line));
  // A command's bare name in a sentence is no line to type.
  if (commandTable.commands.some(({ name }) => name === line)) return undefined;
  if (words.length === 0 || ["help", "version"].includes(words[0] ?? "")) return undefined;
  if (Object.hasOwn(commandTable.groups, words[0] ?? "") && words.length === 1) return undefined;
  try {
    const { command, extra } = findCommand(words, rest, commandTable);
    parseFlags([...extra, ...rest], { ...command.flags, ...globalFlags }, command.operand);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** As a shell takes it apart: quotes keep words together, and what comes after `>` is not the command's. */
function shellWords(line: string): string[] {
  const [own = ""] = line.split(/ > (?=\S+$)/);
  return [...own.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ""));
}

function rowsOf(path: string, row: RegExp): string[][] {
  const text = pages.find((page) => page.path === path)?.text ?? "";
  return [...text.matchAll(row)].map(([, ...cells]) => cells.map((cell) => cell.trim()));
}

function isPlain(value: unknown): boolean {
  return ["number", "string", "boolean"].includes(typeof value);
}

/** The values that a comment's default names: "three time limits, at least 120_000". */
function literalsIn(text = ""): unknown[] {
  const literals = text.match(/"[^"]*"|\b(?:true|false)\b|-?\d[\d_]*(?:\.\d+)?/g) ?? [];
  return literals.map((literal) => {
    const value: unknown = JSON.parse(literal.startsWith('"') ? literal : literal.replaceAll("_", ""));
    return value;
  });
}
