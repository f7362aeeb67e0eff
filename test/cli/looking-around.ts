import { expect, it } from "vitest";
import type { Things } from "./every-command.ts";
import { terminal } from "./terminal.ts";

type Env = Readonly<Record<string, string>>;

/** What commands that only look, or hold a figure against a bound, say of an office with five open letters of one group. */
export function itLooksAround(things: () => Things, env: () => Env, url: () => string): void {
  const dlo = (...args: readonly string[]) => terminal(args, { env: env() });

  it("holds figures against bounds, and says it by exit codes that monitors know", async () => {
    const fine = await dlo("check", "depth", "--warn", "6");
    expect([fine.code, fine.stdout]).toEqual([0, "ok: 5 letters open\n"]);
    expect((await dlo("check", "depth", "-q", "queue:orders", "--crit", "5", "--json")).code).toBe(1);
    const plugin = await dlo("check", "rate", "--warn", "5", "--crit", "9", "--format", "nagios");
    expect([plugin.code, plugin.stdout]).toEqual([1, "DLO WARNING - 5 letters failed within 1h | failed=5;5;9\n"]);
    const old = await dlo("check", "age", "-q", "queue:orders", "--crit", "0s", "--format", "nagios");
    expect([old.code, old.stdout]).toEqual([2, expect.stringMatching(/oldest \d+\w+ in orders \(5 open\) \| oldest=/)]);
    expect((await dlo("check", "returns", "--crit", "1")).code).toBe(0);
    const drained = await dlo("check", "drain", "--crit", "1m", "--format", "nagios");
    expect([drained.code, drained.stdout]).toEqual([
      3,
      expect.stringMatching(/^DLO UNKNOWN - No process of this office drains a queue/),
    ]);
  });

  it("says that a check came to nothing as its reader understands it", async () => {
    const away = ["--server", "http://127.0.0.1:1"];
    const unknown = await dlo("check", "depth", "--crit", "1", "--format", "nagios", ...away);
    expect([unknown.code, unknown.stdout]).toEqual([3, expect.stringMatching(/^DLO UNKNOWN - You are not signed in/)]);
    expect((await dlo("check", "depth", "--crit", "1", ...away)).code).toBe(4);
    expect((await dlo("check", "depth")).stderr).toContain("Nothing could fail: give --warn, --crit, or both.");
    expect((await dlo("check", "returns", "--crit", "10001")).stderr).toContain("such a bound is never reached");
    expect((await dlo("alerts", "set", "deep", "--over", "5000")).stderr).toContain("`--when` is missing");
    expect((await dlo("check", "age", "--crit", "soon")).stderr).toContain("`--crit` must be a time");
  });

  it("asks for any operation as it is, and says which page an id has", async () => {
    expect((await dlo("api", "/letters/count?q=queue:orders")).stdout).toBe('{"n":5,"isExact":true,"warnings":[]}\n');
    const none = await dlo("api", "POST", "/letters/drop", "--data", '{"letters":[],"reason":"x"}', "--json");
    expect(none.code).not.toBe(0);
    expect((await dlo("api", "PUT", "/letters")).stderr).toContain("The method is GET or POST");
    expect((await dlo("open", things().replay)).stdout).toBe(`${url()}/replays/${things().replay}\n`);
    expect((await dlo("open")).stdout).toBe(`${url()}/\n`);
  });

  it("takes the beginning of an id while no other begins so, the address of a page, and ids that are piped in", async () => {
    const { letter, group, replay } = things();
    const shown = await dlo("replay", "show", replay.slice(0, 16), "--json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: replay });
    expect((await dlo("open", replay.slice(0, 16).toLowerCase())).stdout).toBe(`${url()}/replays/${replay}\n`);
    expect((await dlo("groups", "show", `${url()}/groups/${group}?peek=x`)).code).toBe(0);
    const foreign = await dlo("groups", "show", `https://dlo.example/groups/${group}`);
    expect([foreign.code, foreign.stderr]).toEqual([2, expect.stringContaining("is a page of another office")]);
    const found = await dlo("letters", "-q", `group:${group.slice(0, 16)}`, "--json");
    const { items } = JSON.parse(found.stdout) as { readonly items: readonly { readonly id: string }[] };
    expect(items).toHaveLength(5);
    const several = await dlo("letters", "show", letter.slice(0, 10));
    expect([several.code, several.stderr]).toEqual([2, expect.stringContaining("Several ids begin with")]);
    expect((await dlo("letters", "show", "ltr_7ZZZZZ")).code).toBe(3);
    const ids = items.slice(0, 2).map(({ id }) => id);
    const exported = await terminal(["letters", "export", "-"], { env: env(), stdin: `${ids.join("\n")}\n` });
    expect(exported.stdout.match(/"kind":"letter"/g)).toHaveLength(2);
    const none = await terminal(["letters", "drop", "-", "--reason", "x"], { env: env() });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("No id was piped in.")]);
    // Both are understood, and refused only for want of their number: nothing is changed here.
    const said = ["--as", "poison", "--reason", "x"];
    const named = await dlo("letters", "classify", ...ids, ...said);
    const piped = await terminal(["letters", "classify", "-", ...said], { env: env(), stdin: ids.join("\n") });
    const asksForNumber = [6, expect.stringContaining("This is about 2 letters")];
    expect([named.code, named.stderr]).toEqual(asksForNumber);
    expect([piped.code, piped.stderr]).toEqual(asksForNumber);
    const settled = await dlo("letters", "give-back", ...ids, "--settle", "sent", "--reason", "x");
    expect([settled.code, settled.stderr]).toEqual([2, expect.stringContaining("`--settle` takes one letter")]);
  });

  it("shows one thing of each kind", async () => {
    const { letter, group, replay } = things();
    expect((await dlo("groups", "show", group)).stdout).toContain(`dlo replay plan -q group:${group}`);
    expect((await dlo("queues", "show", "orders")).stdout).toContain(group);
    expect((await dlo("letters", "history", letter)).stdout).toContain("classified");
    expect((await dlo("letters", "tail", "--lines", "2")).stdout.trimEnd().split("\n")).toHaveLength(2);
    expect((await dlo("status")).stdout).toContain("5 open");
    expect((await dlo("policy", "show", "lost_context")).stdout).toMatch(/^lost_context\nNever go back: /);
    expect((await dlo("approvals", "show", replay)).stdout).toContain(replay);
    expect((await dlo("breakers", "show", "nobody")).code).toBe(3);
  });

  it("writes lists in the form that is asked for", async () => {
    const names = (await dlo("letters", "-o", "name", "--limit", "all")).stdout.trimEnd().split("\n");
    expect(names).toHaveLength(5);
    const found = await dlo("letters", "--json=id,queue", "--limit", "2");
    const { items } = JSON.parse(found.stdout) as { readonly items: readonly object[] };
    expect(items).toEqual(names.slice(0, 2).map((id) => ({ id, queue: "orders" })));
    const moments = await dlo("letters", "--time", "iso", "--limit", "1", "--timeout", "10m");
    expect(moments.stdout).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d/);
    const { letter, replay } = things();
    const saidIn = async (...line: readonly string[]) => (await dlo(...line, "--time", "local")).stdout;
    const local = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d`;
    expect(await saidIn("letters", "show", letter)).toMatch(new RegExp(`arrived: ${local}`));
    expect(await saidIn("replay", "show", replay)).toMatch(new RegExp(`frozen ${local}, policy`));
    expect(moments.stderr).toContain("Showing 1 of 5");
    const asked = await dlo("login", "--no-input");
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("dlo login --token -")]);
  });

  it("lists and exports who did what, to the first entry", async () => {
    const listed = JSON.parse((await dlo("audit", "list", "--limit", "1", "--json")).stdout) as {
      readonly items: readonly { readonly n: number }[];
      readonly next: string | null;
    };
    expect(listed.items).toHaveLength(1);
    expect(listed.next).toBe(String(listed.items[0]?.n));
    const lines = (await dlo("audit", "export")).stdout.trimEnd().split("\n");
    const [first, end] = [lines.at(-2), lines.at(-1)].map((line) => JSON.parse(line ?? "") as object);
    expect(first).toMatchObject({ n: 1 });
    expect(end).toEqual({ kind: "end", n: lines.length - 1 });
  });
}
