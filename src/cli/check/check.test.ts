import { describe, expect, it } from "vitest";
import { terminal } from "../../../test/cli/terminal.ts";

const check = (line: string) => terminal(["check", ...line.split(" ")]);

describe("a check that cannot be understood", () => {
  it.each([
    ["depth --crt 5 --format nagios", "`--crt` is not an option here."],
    ["rate --within 1s --crit 5 --format=nagios", "`--within` must be a time from 1m to 30d"],
    ["--crit 5 --format nagios", "depth/age/rate/returns/drain is missing"],
    ["depht --crit 5 --format nagios", "`check` must be one of depth"],
  ])("is unknown and not critical to a monitor: dlo check %s", async (line, why) => {
    const { code, stdout, stderr } = await check(line);
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    expect(stdout).toContain(`DLO UNKNOWN - ${why}`);
    expect(stdout).not.toContain("|");
  });

  it("is refused as every other command is to a person, and in JSON to a program", async () => {
    const refused = await check("depth --crt 5");
    expect([refused.code, refused.stdout, refused.stderr.split("\n")[0]]).toEqual([
      2,
      "",
      "dlo: `--crt` is not an option here.",
    ]);
    const { code, stdout } = await check("depth --crt 5 --format nagios --json");
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { error: { code: "input.unknown_option" } }]);
  });
});
