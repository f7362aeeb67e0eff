import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { terminal } from "../cli/terminal.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";

const megabyte = 1_000_000;
const levels = 200_000;

/** What a sender may have sent by mistake, by the class of its failure; made when it is sent, and not kept. */
const huge: Readonly<Record<string, () => string>> = {
  String8: () => JSON.stringify({ note: "x".repeat(8 * megabyte) }),
  // With escapes and digits, which patterns stumble over.
  String64: () => `{"note":"${String.raw`\"1`.repeat((64 * megabyte) / 3)}"}`,
  Lists: () => "[".repeat(levels) + "]".repeat(levels),
  Objects: () => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
  Unclosed: () => `{"note":"${String.raw`\"`.repeat(4 * megabyte)}`,
  Body100: () => `[${'{"id":1234,"name":"a name","password":"hunter2"},'.repeat((100 * megabyte) / 49)}0]`,
};

describeServer("huge letters", noPostgres, () => {
  const postgres = usePostgres();
  const folder = mkdtempSync(join(tmpdir(), "dlo-huge-"));
  const config = join(folder, "dlo.config.yaml");
  const own = (data = "data", url = "") => ({
    ...{ DLO_DATA: join(folder, data), DLO_CONFIG: config, XDG_CONFIG_HOME: folder, QUEUES: postgres.url },
    DATABASE_URL: url === "" ? postgres.url : url,
  });
  const run = async (args: readonly string[], env = own()) => {
    const { code, stdout, stderr } = await terminal(args, { env });
    if (code !== 0) throw new Error(`dlo ${args.join(" ")} ended with ${code}: ${stderr.slice(0, 2_000)}`);
    return stdout;
  };
  let ids: ReadonlyMap<string, string>;
  afterAll(() => rmSync(folder, { recursive: true }));

  beforeAll(async () => {
    writeFileSync(config, `version: 1\nsources:\n  - { name: pg, broker: postgres, url: "\${QUEUES}" }\n`);
    const transport = postgresTransport({ database: postgres.database, maxMessageBytes: 200 * megabyte });
    const send = (name: string, body: string) => {
      const error = JSON.stringify({ class: name, message: name });
      const headers = { [wire.queue]: "orders", [wire.reason]: "unprocessable", [wire.error]: error };
      return transport.send({ name: "orders.dlq" }, makeMessage({ body, headers }));
    };
    for (const [name, body] of Object.entries(huge)) await send(name, body());
    await send("Small", '{"note":"fine"}');
    await transport.close();
    // A drain ends when nothing came for two seconds, and the largest may take longer than that.
    await eventually(
      async () => {
        await run(["drain", "pg/orders.dlq"]);
        const { items } = JSON.parse(await run(["letters", "list", "--json"])) as { items: Item[] };
        ids = new Map(items.map(({ errorClass, id }) => [errorClass, id]));
        expect(ids.size).toBe(Object.keys(huge).length + 1);
      },
      { withinMs: 100_000 },
    );
  }, 120_000);

  it("are all exported, and so is what comes after them", { timeout: 120_000 }, async () => {
    const lines = (await run(["letters", "export"])).trimEnd().split("\n");
    const letters = lines.slice(1, -1).map((line) => JSON.parse(line) as Exported);
    expect(letters.map(({ error, body }) => [error.class, body.why])).toEqual([
      ["String8", null],
      ["String64", null],
      ["Lists", null],
      ["Objects", null],
      ["Unclosed", null],
      ["Body100", "masked"],
      ["Small", null],
    ]);
    expect(lines.at(-1)).toBe(JSON.stringify({ kind: "end", n: letters.length }));
  });

  it("come back from a backup, with what comes after them", { timeout: 120_000 }, async () => {
    const file = join(folder, "office.backup");
    await run(["backup", file]);
    await postgres.pool.query("create database restored");
    const restored = own("restored", new URL("/restored", postgres.url).href);
    await run(["restore", file, "--as", "ana"], restored);
    const { items } = JSON.parse(await run(["letters", "list", "--json"], restored)) as { items: Item[] };
    expect(items.map(({ errorClass }) => errorClass).sort()).toEqual([...Object.keys(huge), "Small"].sort());
    const kept = (data: string) =>
      readdirSync(join(folder, data, "bodies"), { recursive: true })
        .map(String)
        .toSorted((a, b) => (a < b ? -1 : 1));
    expect(kept("restored")).toEqual(kept("data"));
  });

  describe.each(Object.keys(huge))("%s", (name) => {
    it("has a page, a history and a draft, and goes into a plan", { timeout: 60_000 }, async () => {
      const id = ids.get(name) ?? "";
      expect(JSON.parse(await run(["letters", "show", id, "--json"]))).toMatchObject({ id, errorClass: name });
      expect(await run(["letters", "history", id])).toContain("arrived");
      const edit = ["edit", id, "--header", "careful=yes", "--preview", "--json"];
      const { code, stdout } = await terminal(edit, { env: own() });
      const said = JSON.parse(stdout) as { readonly error?: { readonly code: string } };
      // A body beyond a megabyte is replaced as a whole, or not at all.
      if (code === 0) expect(said).toMatchObject({ headers: [{ name: "careful", after: "yes" }] });
      else expect(said.error?.code).toBe("edit.refused");
      const plan = JSON.parse(await run(["replay", "plan", "--id", id, "--json"])) as { readonly letters: number };
      expect(plan).toMatchObject({ id: expect.stringMatching(/^rpl_/) as string });
    });
  });
});

interface Item {
  readonly id: string;
  readonly errorClass: string;
}

interface Exported {
  readonly error: { readonly class: string };
  readonly body: { readonly why: string | null };
}
