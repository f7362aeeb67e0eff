import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/commands.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { clientOf, enrol, minuteMs, type UpOffice, useOffices } from "../http/up-process.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { exitCodeOf, startDlo, textOf } from "./dlo.ts";
import { everyLine, type Things, writeFiles } from "./every-command.ts";
import { itLooksAround } from "./looking-around.ts";
import { terminal } from "./terminal.ts";

interface Listed {
  readonly items: readonly { readonly id: string; readonly group?: string }[];
}

type Env = Readonly<Record<string, string>>;

const errorOf = (stdout: string) => (JSON.parse(stdout) as { readonly error: { readonly code: string } }).error.code;

/** Of a path as it is, which fetch would make another one of. */
async function statusOf(port: number, path: string): Promise<number | undefined> {
  const [response] = (await once(get({ host: "127.0.0.1", port, path }), "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** Imports letters, plans a replay, and gives what commands can be about. */
async function madeThings(folder: string, env: Env): Promise<Things> {
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await terminal([...args, "--json"], { env });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return JSON.parse(stdout) as unknown;
  };
  expect(await json("import", join(folder, "letters.ndjson"))).toMatchObject({ held: 5, isCut: false });
  const { items } = (await json("letters")) as Listed;
  const { id: replay } = (await json("replay", "plan", "-q", "queue:orders")) as { readonly id: string };
  return { letter: items[0]?.id ?? "", group: items[0]?.group ?? "", replay, folder };
}

function itSaysOneDocument(things: () => Things, env: () => Env): void {
  it("has a line in this test for every command", () => {
    const names = commandTable.commands.map(({ name }) => name).sort();
    expect(Object.keys(everyLine(things())).sort()).toEqual(names);
  });

  it.each(commandTable.commands)("says exactly one document: dlo $name --json", async ({ name, inLines }) => {
    const args = everyLine(things())[name] ?? [];
    // `up` goes on until it is told to end, and here it is told so at once.
    const options = name === "up" ? { signal: AbortSignal.abort() } : {};
    // Colours, bars, hints and a pager where a person would get them: none of it may get among the data.
    const noise = { FORCE_COLOR: "1", LANG: "C.UTF-8", DLO_PAGER: "cat" };
    const { code, stdout, stderr } = await terminal([...name.split(" "), ...args, "--json"], {
      ...{ env: { ...env(), ...noise }, isWatched: true },
      ...options,
    });
    expect([code, stderr]).not.toEqual([70, expect.anything()]);
    const lines = stdout.trimEnd().split("\n");
    if (inLines !== true) expect(lines).toHaveLength(1);
    const documents = lines.map((line) => JSON.parse(line) as { readonly error?: object });
    const [{ error } = {}] = documents;
    if (code !== 0 && error !== undefined) expect(Object.keys(error)).toEqual(["code", "message", "hint"]);
  });
}

describe("dlo while an office has the embedded ledger open", { timeout: 4 * minuteMs }, () => {
  const { folder, up } = useOffices({ until: "the end" });
  const settings = join(folder, "settings");
  const env = { DLO_DATA: join(folder, "data"), XDG_CONFIG_HOME: settings };
  const file = join(settings, "dlo", "credentials.json");
  let office: UpOffice;
  let cookie = "";
  let things: Things;

  beforeAll(async () => {
    writeFiles(folder);
    office = await up(env);
    cookie = await enrol(office.url, env.DLO_DATA);
  }, 4 * minuteMs);

  it("finds it by the folder, and says how to sign in", async () => {
    const { code, stdout } = await terminal(["inbox", "--json"], { env });
    expect([code, JSON.parse(stdout)]).toMatchObject([
      4,
      { error: { code: "actor.not_signed_in", hint: `Sign in: dlo login --server ${office.url}` } },
    ]);
    const shown = await terminal(["context", "show", "--origin"], { env });
    expect(shown.stdout).toContain(`${office.url}/`);
    expect(shown.stdout).toContain(`the office that has ${env.DLO_DATA} open`);
  });

  it("signs in through a browser, with a code that only this terminal can use", async () => {
    const child = startDlo(["login", "--no-browser", "--json"], env);
    const said = textOf(child.stdout);
    let notes = "";
    child.stderr?.on("data", (chunk) => {
      notes += String(chunk);
    });
    await eventually(() => expect(notes).toContain("/terminal?"), { withinMs: 2 * minuteMs });
    const way = new URL(/http\S+/.exec(notes)?.[0] ?? "");
    expect(way.origin).toBe(office.url);
    const ended = exitCodeOf(child);
    const [challenge, state, port] = ["challenge", "state", "port"].map((name) => way.searchParams.get(name) ?? "");
    const headers = { origin: office.url, "x-dlo-csrf": "1", "content-type": "application/json", cookie };
    const allow = async () => {
      const body = JSON.stringify({ challenge });
      const response = await fetch(`${office.url}/auth/terminal/allow`, { method: "POST", headers, body });
      return ((await response.json()) as { readonly code: string }).code;
    };
    const redeem = (code: string, verifier: string) =>
      fetch(`${office.url}/auth/terminal/session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code, verifier }),
      });
    // Whoever overhears a code has no verifier; and one wrong try uses it up.
    const overheard = await allow();
    expect((await redeem(overheard, "guessed")).status).toBe(401);
    const foreign = await fetch(`http://127.0.0.1:${port}/?code=${await allow()}&state=other`);
    expect(foreign.status).toBe(404);
    // Whatever else knocks, such as what looks for open ports, is told that nothing is here.
    for (const path of ["//", "/\\", "*", "//[:::"]) expect(await statusOf(Number(port), path), path).toBe(404);
    const back = await fetch(`http://127.0.0.1:${port}/?code=${await allow()}&state=${state}`);
    expect(await back.text()).toContain("Signed in.");
    expect(await ended).toBe(0);
    expect(JSON.parse(await said)).toMatchObject({ server: office.url, person: "ana" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const who = await terminal(["whoami", "--json"], { env });
    expect(JSON.parse(who.stdout)).toMatchObject({ person: "ana", roles: ["admin"] });
  });

  it("does on the server what is asked, in the name of whoever signed in", async () => {
    things = await madeThings(folder, env);
    const { stdout } = await terminal(["replay", "show", things.replay, "--json"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ requestedBy: "ana", counts: { selected: 5 } });
    const asked = await terminal(["inbox", "--as", "ben", "--json"], { env });
    expect([asked.code, errorOf(asked.stdout)]).toEqual([2, "input.invalid_option"]);
  });

  it("exports through the server what it imports again, and knows a file that was cut", async () => {
    const { stdout } = await terminal(["export"], { env });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual([
      ...["export", "letter", "letter", "letter", "letter", "letter", "end"],
    ]);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ by: "ana", masked: true });
    const again = await terminal(["import", "-", "--json"], { env, stdin: stdout });
    expect(JSON.parse(again.stdout)).toMatchObject({ held: 0, known: 5, isCut: false });
    const cut = await terminal(["import", "-", "--json"], { env, stdin: lines.slice(0, -1).join("\n") });
    expect([cut.code, JSON.parse(cut.stdout)]).toMatchObject([1, { known: 5, isCut: true }]);
  });

  it("signs in with a token from stdin, and never from the command line", async () => {
    const { token } = await clientOf(office.url, cookie)("tokens.make", { name: "script" });
    const own = { ...env, XDG_CONFIG_HOME: join(folder, "by-token") };
    expect((await terminal(["login", "--token", token, "--json"], { env: own })).code).toBe(2);
    const wrong = await terminal(["login", "--token", "-", "--json"], { env: own, stdin: `${token}x` });
    expect([wrong.code, errorOf(wrong.stdout)]).toEqual([4, "sign_in.refused"]);
    const right = await terminal(["login", "--token", "-"], { env: own, stdin: `${token}\n` });
    expect(right.stdout).toBe(`Signed in at ${office.url} as ana.\n`);
    expect((await terminal(["inbox"], { env: own })).code).toBe(0);
    const glass = await terminal(["replay", "break-glass", things.replay, "--reason", "no", "--json"], { env: own });
    expect([glass.code, errorOf(glass.stdout)]).toEqual([4, "actor.not_allowed"]);
    await terminal(["logout"], { env: own });
    expect((await terminal(["inbox"], { env: own })).code).toBe(4);
  });

  it("sends what is stored to the office that issued it and to nobody else", async () => {
    const heard: string[] = [];
    const stranger = createServer(({ headers, url = "" }, response) => {
      heard.push(`${url} ${JSON.stringify(headers)}`);
      response.writeHead(302, { location: `${office.url}${url}` }).end();
    });
    stranger.listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    try {
      const asked = await terminal(["inbox", "--server", url, "--json"], { env });
      expect([asked.code, heard]).toEqual([4, []]);
      // One that was signed in at, and that sends its visitors on.
      const [[, stored] = []] = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, object>);
      const own = { ...env, XDG_CONFIG_HOME: join(folder, "redirected") };
      mkdirSync(join(own.XDG_CONFIG_HOME, "dlo"), { recursive: true });
      writeFileSync(join(own.XDG_CONFIG_HOME, "dlo", "credentials.json"), JSON.stringify({ [url]: stored }), {
        mode: 0o600,
      });
      expect((await terminal(["inbox", "--server", url], { env: own })).code).toBe(9);
      expect(heard).toHaveLength(1);
    } finally {
      stranger.close();
    }
  });

  it("asks the context that is named nearest, and takes no address from a project's file", async () => {
    const own = { ...env, DLO_DATA: join(folder, "elsewhere") };
    await terminal(["context", "add", "here", "--server", office.url], { env: own });
    await terminal(["context", "add", "away", "--server", "http://127.0.0.1:1"], { env: own });
    const project = join(folder, "project.yaml");
    const ask = async (more: Env, ...args: readonly string[]) =>
      (await terminal(["inbox", "--json", ...args], { env: { ...own, ...more } })).code;
    writeFileSync(project, "version: 1\ncontext: here\n");
    expect(await ask({ DLO_CONFIG: project })).toBe(0);
    expect(await ask({ DLO_CONFIG: project, DLO_CONTEXT: "away" })).toBe(4);
    expect(await ask({ DLO_CONTEXT: "away" }, "-c", "here")).toBe(0);
    expect(await ask({ DLO_SERVER: office.url })).toBe(0);
    expect(await ask({ DLO_CONTEXT: "nowhere" })).toBe(2);
    await terminal(["context", "use", "here"], { env: own });
    expect((await terminal(["context", "current"], { env: own })).stdout).toBe("here\n");
    expect(await ask({})).toBe(0);
    // A shell, or a project, that was prepared for another ledger must not act on the one somebody chose last week.
    const shown = async (more: Env) =>
      (await terminal(["context", "show", "--origin"], { env: { ...own, ...more } })).stdout;
    expect(await shown({ DATABASE_URL: "postgres://127.0.0.1:1/shop" })).toContain("DATABASE_URL");
    writeFileSync(project, 'version: 1\nledger: { url: "${SHOP_URL}" }\n');
    expect(await shown({ DLO_CONFIG: project })).toContain(`ledger.url in ${project}`);
    await terminal(["context", "use", "-"], { env: own });
    writeFileSync(project, `version: 1\nserver: ${office.url}\n`);
    expect(await ask({ DLO_CONFIG: project })).toBe(2);
  });

  it("says that nobody answers, and uses no file that others can read", async () => {
    const own = { ...env, XDG_CONFIG_HOME: join(folder, "open") };
    mkdirSync(join(own.XDG_CONFIG_HOME, "dlo"), { recursive: true });
    const secret = { secret: "x", person: "ana", expiresAt: null };
    const open = join(own.XDG_CONFIG_HOME, "dlo", "credentials.json");
    writeFileSync(open, JSON.stringify({ "http://127.0.0.1:1": secret }), { mode: 0o600 });
    const away = await terminal(["inbox", "--server", "http://127.0.0.1:1", "--json"], { env: own });
    expect([away.code, errorOf(away.stdout)]).toEqual([9, "server.unavailable"]);
    chmodSync(open, 0o644);
    const refused = await terminal(["inbox", "--server", "http://127.0.0.1:1", "--json"], { env: own });
    expect([refused.code, errorOf(refused.stdout)]).toEqual([2, "input.invalid_file"]);
  });

  itLooksAround(
    () => things,
    () => env,
    () => office.url,
  );

  itSaysOneDocument(
    () => things,
    () => env,
  );
});

describeServer("dlo on a ledger without a server", noPostgres, () => {
  const postgres = usePostgres();
  const folder = mkdtempSync(join(tmpdir(), "dlo-every-"));
  const env = () => ({ DATABASE_URL: postgres.url, XDG_CONFIG_HOME: folder, DLO_DATA: join(folder, "data") });
  let things: Things;
  beforeAll(async () => {
    writeFiles(folder);
    things = await madeThings(folder, env());
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  itSaysOneDocument(() => things, env);
});
