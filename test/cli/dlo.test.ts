import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { dlo, exitCodeOf, startDlo, textOf } from "./dlo.ts";

describe("the program", () => {
  it("tells its version", async () => {
    expect(await dlo(["--version"])).toEqual({ code: 0, stdout: `dlo ${manifest.version}\n`, stderr: "" });
  });

  it("refuses a misspelt command with exit code 2 and the nearest right one", async () => {
    const { code, stdout, stderr } = await dlo(["simulat", "outage"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Did you mean `dlo simulate`?");
  });

  it("ends quietly when its reader has seen enough", async () => {
    const child = startDlo(["simulate", "retry"]);
    child.stdout?.destroy();
    const [complaints, code] = await Promise.all([textOf(child.stderr), exitCodeOf(child)]);
    expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
  });

  it("stops a long run on Ctrl-C with exit code 130, still giving one JSON document", async () => {
    const child = startDlo(["simulate", "contention", "--trials", "100000", "--json"]);
    // Its first word on stderr, how far it has come, shows that it is at work.
    child.stderr?.once("data", () => child.kill("SIGINT"));
    const [data, code] = await Promise.all([textOf(child.stdout), exitCodeOf(child)]);
    expect(code).toBe(130);
    expect(JSON.parse(data)).toEqual({ error: { code: "interrupted", message: "Interrupted.", hint: null } });
  });
});

describe("every command with --json", () => {
  const lines = [
    "",
    "help",
    "version",
    "nonsense",
    "simulate",
    "simulate retry",
    "simulate retry --strategy fixed --factor 2",
    "simulate contention --trials 1 --clients 2",
    "simulate contention --trials 0",
    "simulate outage --horizon 1m",
    "simulate outage --policy all --horizon 1m",
    "simulate outage --polcy all",
  ];

  /** What Node, or a library, warns of by itself, and colours that somebody forces. */
  const noise = {
    NODE_OPTIONS: "--trace-warnings --import=data:text/javascript,process.emitWarning('noise')",
    ...{ FORCE_COLOR: "1", LANG: "C.UTF-8" },
  };

  it.each(lines)("gives exactly one JSON document, whatever is said beside it: dlo %s", async (line) => {
    const { code, stdout, stderr } = await dlo([...line.split(" ").filter(Boolean), "--json"], noise);
    expect(stderr).toContain("noise");
    const document: unknown = JSON.parse(stdout);
    expect(typeof document).toBe("object");
    if (code !== 0) expect(Object.keys((document as { error: object }).error)).toEqual(["code", "message", "hint"]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  });
});
