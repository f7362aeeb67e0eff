import { describe, expect, it } from "vitest";
import { OfficeError } from "../domain/errors.ts";
import { command } from "./command.ts";
import { commandTable } from "./commands.ts";
import { officeFlags } from "./connection/which-office.ts";
import { exit } from "./exit-codes.ts";
import { Interrupted } from "./failure.ts";
import type { CommandTable } from "./find-command.ts";
import { choiceFlag, durationFlag, type Flag, numberFlag, numbersFlag, optional, queryFlag } from "./flags.ts";
import { run } from "./run.ts";

const count = command({
  name: "letters count",
  alias: "count",
  summary: "counts letters",
  examples: [{ line: "dlo letters count --limit 5", about: "no more than five" }],
  details: ["A paragraph about counting."],
  flags: {
    limit: numberFlag({ about: "at most", default: 10, min: 1, max: 100, integer: true }),
    sizes: numbersFlag({ about: "of these sizes", default: [1, 2], min: 1, max: 9, integer: true }),
    since: durationFlag({ about: "held for", default: "1h", min: "1s", max: "7d" }),
    query: queryFlag("which"),
    kind: optional(choiceFlag({ about: "which", of: ["held", "dropped"], default: "held" }), "any"),
  },
  async run(values, { print, note, env }) {
    if (env.FAIL === "office") throw new OfficeError("QUEUE_NOT_FOUND", "There is no queue `orders`.");
    if (env.FAIL === "bug") throw new TypeError("x is not a function");
    if (env.FAIL === "interrupted") throw new Interrupted();
    if (env.FAIL === "request") throw new DOMException("This operation was aborted", "AbortError");
    print(JSON.stringify(values));
    note("counted");
    return exit.done;
  },
});

const doctor = command({
  name: "doctor",
  summary: "looks around",
  examples: [{ line: "dlo doctor", about: "looks around" }],
  flags: {},
  async run() {
    return exit.returned;
  },
});

const inbox = command({
  name: "inbox",
  summary: "asks an office",
  examples: [{ line: "dlo inbox", about: "asks it" }],
  flags: officeFlags,
  async run(values, { print }) {
    print(JSON.stringify(values));
    return exit.done;
  },
});

const table: CommandTable = { groups: { letters: "what the office holds" }, commands: [count, inbox, doctor] };

async function dlo(line: string, env: Record<string, string> = {}) {
  const written = { stdout: "", stderr: "" };
  const outputTo = (stream: keyof typeof written) => ({
    write(text: string) {
      written[stream] += text;
    },
  });
  const code = await run(line === "" ? [] : line.split(" "), table, {
    stdout: outputTo("stdout"),
    stderr: outputTo("stderr"),
    env,
    clock: { now: () => 0, after: () => () => {} },
    stdin: ReadableStream.from<Uint8Array>([]),
    signal: new AbortController().signal,
    version: "1.2.3",
  });
  return { code, ...written };
}

describe("a command line", () => {
  it("runs the command with its defaults where nothing is said", async () => {
    const { code, stdout, stderr } = await dlo("letters count");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ limit: 10, sizes: [1, 2], since: 3_600_000, kind: null, json: false });
    expect(stderr).toBe("counted\n");
  });

  it("runs the same command by its other name, and help is of its own", async () => {
    expect(JSON.parse((await dlo("count --limit 7")).stdout)).toMatchObject({ limit: 7 });
    expect((await dlo("help count")).stdout).toContain("dlo letters count: counts letters");
    expect((await dlo("count --limit 0")).stderr).toContain("`dlo help letters count` lists the options.");
    expect((await dlo("help")).stdout).not.toContain("dlo count");
  });

  it("reads values of every kind, joined by = or not, the last one counting", async () => {
    const { stdout } = await dlo("letters count --limit=7 --sizes 3,4,3 --since 1.5m --kind held --kind dropped");
    expect(JSON.parse(stdout)).toMatchObject({ limit: 7, sizes: [3, 4], since: 90_000, kind: "dropped" });
  });

  it.each([
    ["-q -tag:hold", "-tag:hold"],
    ["--query -tag:hold --json", "-tag:hold"],
    ["-q --tag:hold", "--tag:hold"],
    ["-q -timeout", "-timeout"],
    ["--query=-tag:hold", "-tag:hold"],
    ["--limit 3 -q -(queue:a)", "-(queue:a)"],
  ])("takes a search that begins with what it leaves out: %s", async (flags, query) => {
    expect(JSON.parse((await dlo(`letters count ${flags}`)).stdout)).toMatchObject({ query });
  });

  it.each(["-q --quiet", "-q -h", "-q --limit=3", "-q"])("takes no flag for a search: %s", async (flags) => {
    const { stdout, stderr } = await dlo(`letters count ${flags}`);
    expect(`${stdout}${stderr}`).toMatch(/`-q` needs a value|USAGE|dlo letters count/);
  });

  it("has no command whose search cannot begin with a dash", () => {
    const searches = commandTable.commands.flatMap(({ name, flags }) =>
      Object.values<Flag<unknown>>(flags)
        .filter(({ placeholder }) => placeholder === "QUERY")
        .map(({ takesDash }) => [name, takesDash]),
    );
    expect(searches.length).toBeGreaterThan(8);
    expect(searches.filter(([, takesDash]) => takesDash !== true)).toEqual([]);
  });

  it("takes a bare number of a time for seconds", async () => {
    expect(JSON.parse((await dlo("letters count --since 10")).stdout)).toMatchObject({ since: 10_000 });
  });

  it("takes the switches of every command anywhere, before its name too", async () => {
    expect(JSON.parse((await dlo("--json letters --quiet count")).stdout)).toMatchObject({ json: true });
    expect((await dlo("letters count --quiet")).stderr).toBe("");
  });

  it.each([
    ["--jq", "Pipe it into jq: add --json, and `| jq EXPRESSION`."],
    ["--yes", "Nothing is asked here"],
    ["--wait", "follows a replay"],
  ])("says what to do instead of %s, which other programs have", async (flag, hint) => {
    expect((await dlo(`letters count ${flag}`)).stderr).toContain(hint);
  });

  it("takes what says which office before its name, too", async () => {
    const asked = async (line: string) => JSON.parse((await dlo(line)).stdout) as unknown;
    expect(await asked("-c demo --server=http://a inbox --config x")).toMatchObject({
      ...{ context: "demo", server: "http://a", config: "x" },
    });
    expect(await asked("--json --context demo inbox -c other")).toMatchObject({ context: "other", json: true });
    expect((await dlo("-c demo lettrs")).stderr).toContain("Did you mean `dlo letters`?");
    expect((await dlo("-c demo")).stderr).toContain("Which command is `-c` for?");
    expect((await dlo("-c demo doctor")).stderr).toContain("`-c` is not an option here.");
  });

  it("writes what the command says for programs in the form that is asked for", async () => {
    expect(JSON.parse((await dlo("letters count --json=limit,kind")).stdout)).toEqual({ limit: 10, kind: null });
    expect((await dlo("-o yaml letters count")).stdout).toContain("limit: 10\n");
    expect(JSON.parse((await dlo("letters -o=jsonl count")).stdout)).toMatchObject({ limit: 10, json: true });
    expect((await dlo("letters count -o name")).stdout).toBe("");
    expect(JSON.parse((await dlo("letters count -o wide")).stdout)).toMatchObject({ json: false });
    const { stdout } = await dlo("letters count --limit 0 --output yaml");
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "input.invalid_option" } });
  });

  it("gives back the exit code of the command", async () => {
    expect((await dlo("doctor")).code).toBe(7);
  });
});

describe("a command line that cannot be", () => {
  it.each([
    ["leters count", "`dlo leters` is not a command.", "Did you mean `dlo letters`?"],
    ["letters cuont", "`dlo letters cuont` is not a command.", "Did you mean `dlo letters count`?"],
    ["letters sing", "`dlo letters sing` is not a command.", "After `dlo letters` comes count."],
    ["letters", "After `dlo letters` comes count.", "`dlo help letters` says more."],
    ["hlep", "`dlo hlep` is not a command.", "Did you mean `dlo help`?"],
    ["zzzzzz", "`dlo zzzzzz` is not a command.", "`dlo help` lists the commands."],
    ["--limit 5", "Which command is `--limit` for?", "`dlo help` lists the commands."],
    ["letters count --limt 5", "`--limt` is not an option here.", "Did you mean `--limit`?"],
    [
      "letters count --__proto__ 5",
      "`--__proto__` is not an option here.",
      "`dlo help letters count` lists the options.",
    ],
    ["letters count -x", "`-x` is not an option here.", "`dlo help letters count` lists the options."],
    ["letters count more", "`more` is not expected here.", "`dlo help letters count` lists the options."],
    [
      "letters count --limit",
      "`--limit` needs a value, such as --limit 10.",
      "`dlo help letters count` lists the options.",
    ],
    [
      "letters count --limit --kind held",
      "`--limit` needs a value, such as --limit 10.",
      "`dlo help letters count` lists the options.",
    ],
    ["letters count --quiet=all", "`--quiet` takes no value.", "`dlo help letters count` lists the options."],
    [
      "letters count --output xml",
      '`--output` must be one of table, wide, json, jsonl, yaml, name. It is "xml".',
      'Did you mean "yaml"?',
    ],
    [
      "letters count --limit 0",
      "`--limit` must be a whole number, between 1 and 100. It is 0.",
      "`dlo help letters count` lists the options.",
    ],
    [
      "letters count --limit -1",
      "`--limit` must be a whole number, between 1 and 100. It is -1.",
      "`dlo help letters count` lists the options.",
    ],
    [
      "letters count --limit=",
      '`--limit` must be a whole number, between 1 and 100. It is "".',
      "`dlo help letters count` lists the options.",
    ],
    [
      "letters count --limit 0x10",
      '`--limit` must be a whole number, between 1 and 100. It is "0x10".',
      "`dlo help letters count` lists the options.",
    ],
    [
      "letters count --sizes 1,,2",
      '`--sizes` must be a whole number, between 1 and 9. It is "".',
      "`dlo help letters count` lists the options.",
    ],
    [
      "letters count --since 1y",
      '`--since` must be a time from 1s to 7d, such as 500ms, 10s or 2m. It is "1y".',
      "`dlo help letters count` lists the options.",
    ],
    [
      "letters count --since 8d",
      '`--since` must be a time from 1s to 7d, such as 500ms, 10s or 2m. It is "8d".',
      "`dlo help letters count` lists the options.",
    ],
    [
      "letters count --kind droped",
      '`--kind` must be one of held, dropped. It is "droped".',
      'Did you mean "dropped"?',
    ],
  ])("`dlo %s` is refused: %s", async (line, message, hint) => {
    expect(await dlo(line)).toEqual({ code: 2, stdout: "", stderr: `dlo: ${message}\n${hint}\n` });
  });

  it("is refused in one JSON document on stdout when JSON was asked for", async () => {
    const { code, stdout, stderr } = await dlo("letters count --limit 0 --json");
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: "input.invalid_option",
        message: "`--limit` must be a whole number, between 1 and 100. It is 0.",
        hint: "`dlo help letters count` lists the options.",
      },
    });
  });
});

describe("a command that fails", () => {
  it("ends with the exit code of its error, the sentence on stderr", async () => {
    const { code, stdout, stderr } = await dlo("letters count", { FAIL: "office" });
    expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: "", stderr: "dlo: There is no queue `orders`.\n" });
  });

  it("tells a program the public code of its error", async () => {
    const { stdout } = await dlo("letters count --json", { FAIL: "office" });
    expect(JSON.parse(stdout)).toEqual({
      error: { code: "queue.not_found", message: "There is no queue `orders`.", hint: null },
    });
  });

  it("is called a bug where nobody foresaw it, with its stack on stderr and exit code 70", async () => {
    const { code, stdout, stderr } = await dlo("letters count --json", { FAIL: "bug" });
    expect(code).toBe(70);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "internal", message: "dlo has a bug: x is not a function" },
    });
    expect(stderr).toContain("run.test.ts");
  });

  it.each(["interrupted", "request"])("says nothing about an interruption but 130 (%s)", async (FAIL) => {
    expect(await dlo("letters count", { FAIL })).toEqual({ code: 130, stdout: "", stderr: "" });
  });
});

describe("help", () => {
  it.each(["", "help", "--help", "-h"])("is what `dlo %s` prints", async (line) => {
    const { code, stdout, stderr } = await dlo(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("dlo letters count");
    expect(stdout).toContain("dlo doctor");
  });

  it.each(["help letters count", "letters count --help", "letters count -h --limit 0"])(
    "on a command starts with examples: `dlo %s`",
    async (line) => {
      const { stdout } = await dlo(line);
      expect(stdout.split("\n").slice(0, 4)).toEqual([
        "dlo letters count: counts letters",
        "",
        "Examples",
        "  dlo letters count --limit 5",
      ]);
      expect(stdout).toContain("  --limit N            at most [10]\n");
      expect(stdout).toContain("--kind held|dropped  which [any]");
      expect(stdout).toContain("A paragraph about counting.");
    },
  );

  it("on a group lists its commands", async () => {
    expect((await dlo("help letters")).stdout).toContain("  dlo letters count  counts letters");
  });

  it.each(["exit-codes", "environment", "json", "query"])("has a page on %s", async (topic) => {
    const { code, stdout } = await dlo(`help ${topic}`);
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(100);
  });

  it("on something unknown suggests the nearest", async () => {
    expect((await dlo("help leters")).stderr).toContain("Did you mean `dlo letters`?");
  });

  it("stays within the width it is given", async () => {
    const { stdout } = await dlo("help", { COLUMNS: "60" });
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it("is one JSON document when JSON is asked for", async () => {
    expect(JSON.parse((await dlo("help --json")).stdout)).toHaveProperty("help");
  });
});

describe("the version", () => {
  it.each(["--version", "-V", "version"])("is what `dlo %s` prints", async (line) => {
    expect(await dlo(line)).toEqual({ code: 0, stdout: "dlo 1.2.3\n", stderr: "" });
  });

  it("is JSON for a program", async () => {
    expect(JSON.parse((await dlo("--version --json")).stdout)).toEqual({ version: "1.2.3" });
  });
});
