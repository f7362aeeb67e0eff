import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { dlo } from "../cli/dlo.ts";
import { dloHere, terminal } from "../cli/terminal.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres, postgresDatabase } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";

const letters = [1, 2, 3].map((n) =>
  JSON.stringify({
    transport: "amqp-0-9-1",
    id: `m-${n}`,
    queue: "orders.dlq",
    properties: { messageId: `m-${n}` },
    headers: {
      [wire.queue]: { t: "S", v: "orders" },
      [wire.reason]: { t: "S", v: "attempts_exhausted" },
      [wire.error]: {
        t: "S",
        v: JSON.stringify({ class: "TimeoutError", message: `POST /charge timed out after ${n} s`, code: "ETIMEDOUT" }),
      },
      ...(n === 3 ? { authorization: { t: "S", v: "Bearer abcdefgh12345678" } } : {}),
    },
    body: JSON.stringify({ orderId: `o-${n}`, card: n === 2 ? "4111 1111 1111 1111" : "none" }),
  }),
);

describeServer("the ledger on the command line", noPostgres, () => {
  const postgres = usePostgres();
  const folder = mkdtempSync(join(tmpdir(), "dlo-commands-"));
  const file = join(folder, "letters.ndjson");
  const run = (line: readonly string[], url = postgres.url) => dloHere([...line], { DATABASE_URL: url, USER: "ops-1" });
  const json = async (line: readonly string[], url?: string) => {
    const { stdout } = await run([...line, "--json"], url);
    return JSON.parse(stdout) as Record<string, never>;
  };

  beforeAll(async () => {
    writeFileSync(file, [...letters, "{}", "nonsense", letters[0]].join("\n"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("imports a file, reports the lines that are no letters, and holds each letter once", async () => {
    const first = await run(["import", file]);
    expect(first.stdout).toBe("4 letters taken into the ledger.\n");
    expect(first.stderr).toMatch(/line 4: .*\nline 5: .*\n2 lines are no letters/);
    expect(first.code).toBe(1);
    expect(await json(["import", file])).toMatchObject({ held: 0, known: 4, isCut: false });
  });

  it("lists letters and counts them, masked", async () => {
    const { items } = (await json(["letters", "-q", "queue:orders error:timed"])) as unknown as {
      readonly items: readonly { readonly id: string; readonly category: string }[];
    };
    expect(items).toHaveLength(4);
    expect(items[0]).toMatchObject({ category: "transient", errorClass: "TimeoutError" });
    const table = await run(["letters", "-q", "key:o-2"]);
    expect(table.stdout).toContain("TimeoutError: POST /charge timed out after 2 s");
    expect(table.stderr).toContain("1 of 1");
    const { items: third } = (await json(["letters", "-q", "key:o-3"])) as unknown as { items: typeof items };
    const letter = await run(["letter", third[0]?.id ?? ""]);
    expect(letter.stdout).toContain("authorization: •••");
    expect(letter.stdout).not.toContain("Bearer");
    const body = (...flags: readonly string[]) => run(["letters", "body", items[0]?.id ?? "", ...flags]);
    expect((await body()).stdout).toMatch(/^\{"orderId".*\}$/);
    expect((await body("--unmasked")).code).toBe(2);
    expect((await body("--unmasked", "--reason", "the bank asks")).stdout).toMatch(/^\{"orderId".*\}$/);
  });

  it("searches what is masked by words that stand on no command line", async () => {
    const searching = (stdin: string) =>
      terminal(["letters", "list", "-q", "-", "--unmasked-because", "chargeback 7", "--json"], {
        ...{ stdin, env: { DATABASE_URL: postgres.url, USER: "ops-1" } },
      });
    const found = await searching('queue:orders body.card:"4111 1111 1111 1111"\n');
    expect(JSON.parse(found.stdout)).toMatchObject({ items: [{ errorMessage: "POST /charge timed out after 2 s" }] });
    const nothing = await searching("\n");
    expect([nothing.code, nothing.stdout]).toMatchObject([2, expect.stringContaining("nothing came")]);
  });

  it("shows one group for one failure, in groups and in the inbox", async () => {
    const groups = (await json(["groups"])) as unknown as { readonly items: readonly object[] };
    expect(groups.items).toMatchObject([{ queue: "orders", open: 4, total: 4, category: "transient" }]);
    const inbox = await run(["inbox"]);
    expect(inbox.stdout).toMatch(/new +grp_\w+ +transient +orders +4 .* plan a replay/);
    expect(inbox.stderr).toContain("1 group needs a decision, 4 letters");
  });

  it("splits a group, tells it, and takes it back", async () => {
    const groupsNow = async () =>
      ((await json(["groups"])) as unknown as { items: { id: string; open: number }[] }).items;
    const [whole] = await groupsNow();
    const split = ["groups", "split", whole?.id ?? "", "--when", 'body.orderId == "o-2"'];
    expect((await run([...split, "--dry-run"])).stdout).toContain("1 of 4 letters of grp_");
    expect((await run([...split, "--title", "Orders of two"])).stdout).toMatch(/is split from grp_.* 1 letter moved/);
    expect((await groupsNow()).map(({ open }) => open)).toEqual([3, 1]);
    const first = await run(["inbox", "--limit", "1"]);
    expect(first.stderr).toContain("the first 1 of 2 groups with 4 open letters");
    expect((await run(["groups", "undo", "1", "--reason", "no"])).stdout).toContain("Version 1 holds no more");
    expect((await run(["groups", "history"])).stdout).toMatch(/2 +undo 1 .*\n1 +split, undone .*ops-1/);
    expect((await groupsNow()).find(({ id }) => id === whole?.id)).toMatchObject({ open: 4 });
    expect((await run(["groups", "undo", "1"])).code).toBe(6);
    expect((await run(["groups", "merge", whole?.id ?? ""])).code).toBe(2);
  });

  it("says at which character a search is wrong", async () => {
    const { code, stderr } = await run(["letters", "-q", "queue:a catgory:b"]);
    expect(code).toBe(2);
    expect(stderr).toContain("  queue:a catgory:b\n          ^^^^^^^\nDid you mean category: ?");
    expect(await json(["letters", "-q", "age:>soon"])).toMatchObject({
      error: { code: "query.invalid", hint: "Use 30s, 15m, 1h, 7d or 2w." },
    });
    expect((await run(["letter", "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H"])).code).toBe(3);
  });

  it("leaves out what is tagged, and asks before it leaves out what nothing has", async () => {
    const { items } = (await json(["letters", "-q", "queue:orders"])) as unknown as { items: { id: string }[] };
    const [first = { id: "" }, ...others] = items;
    const tagged = await run(["letters", "tag", first.id, "--tag", "Hold", "--reason", "disputed"]);
    expect(tagged.stdout).toBe("1 letter tagged: hold.\n");
    expect((await run(["letters", "show", first.id])).stdout).toContain("tags: hold");
    const kept = await json(["letters", "-q", "-tag:hold queue:orders"]);
    expect(kept.items).toMatchObject(others.map(({ id }) => ({ id })));

    const listed = await run(["letters", "-q", "-tag:hlod"]);
    expect(listed.stderr).toContain(
      "Warning: No letter has tag:hlod, so leaving it out changes nothing. Did you mean tag:hold?",
    );
    expect((await json(["groups", "-q", "-tag:hlod"])).warnings).toMatchObject([
      { name: "tag:hlod", nearest: "tag:hold" },
    ]);
    for (const verb of [
      ["letters", "drop", "--reason", "late"],
      ["replay", "plan"],
      ["letters", "untag", "--tag", "hold"],
    ]) {
      const refused = await run([...verb, "-q", "-tag:hlod queue:orders"]);
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toMatch(/No letter has tag:hlod.*\n.*confirm it: --confirm-unknown tag:hlod/);
    }
    const planned = await run(["replay", "plan", "-q", "-tag:hlod queue:orders", "--confirm-unknown", "tag:hlod"]);
    expect(planned.code).toBe(0);
    const untagged = await run(["letters", "untag", first.id, "--tag", "hold"]);
    expect(untagged.stdout).toBe("1 letter untagged: hold.\n");
  });

  it("exports what another ledger imports, without what must not leave", async () => {
    const { stdout } = await run(["export", "-q", "queue:orders"]);
    const lines = stdout.trim().split("\n");
    expect(lines).toHaveLength(6);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ kind: "export", masked: true, by: "ops-1" });
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ kind: "end", n: 4 });
    expect(stdout).not.toContain("abcdefgh");
    expect(stdout).not.toContain(Buffer.from("4111").toString("base64").slice(0, 4));
    const exported = join(folder, "export.ndjson");
    const other = await postgresDatabase();
    try {
      writeFileSync(exported, stdout);
      expect(await json(["import", exported], other.url)).toMatchObject({ held: 4, known: 0, isCut: false });
      const masked = (await json(["letters", "-q", "has:cut"], other.url)) as unknown as {
        readonly items: readonly { readonly id: string }[];
      };
      // The one whose body is masked, and the one whose header is: that must not go with a mask in it.
      expect(masked.items).toHaveLength(2);
      // Not an empty body: one that is not here, and so can never be sent.
      const shown = await Promise.all(masked.items.map(({ id }) => json(["letter", id], other.url)));
      const sizes = [
        { orderId: "o-2", card: "4111 1111 1111 1111" },
        { orderId: "o-3", card: "none" },
      ].map((body) => JSON.stringify(body).length);
      const missing = sizes.map((bytes) => ({ body: { text: null, sha256: null, bytes }, cut: { body: bytes } }));
      // The newest comes first.
      expect(shown).toMatchObject(missing.reverse());
      expect(await json(["import", exported])).toMatchObject({ held: 0, known: 4 });
      writeFileSync(exported, lines.slice(0, -1).join("\n"));
      expect(await json(["import", exported], other.url)).toMatchObject({ held: 0, known: 4, isCut: true });
    } finally {
      await other.close();
    }
  });

  it("writes unmasked exports to the audit log, with the reason", async () => {
    expect((await run(["export", "--unmasked"])).code).toBe(2);
    const { stdout } = await run(["export", "--unmasked", "--reason", "moving house"]);
    expect(stdout).toContain("Bearer abcdefgh12345678");
    const { rows } = await postgres.pool.query<{ entry: Buffer }>(
      "select entry from dlo.audit_log order by n desc limit 1",
    );
    expect(JSON.parse(String(rows[0]?.entry))).toMatchObject({
      action: "letters.exported_unmasked",
      actor: { id: "ops-1" },
      reason: "moving house",
    });
  });

  it("drains a queue of a source in the configuration", async () => {
    const transport = postgresTransport({ database: postgres.database });
    for (let n = 0; n < 20; n++) await transport.send({ name: "bills.dlq" }, makeMessage({ body: `${n}` }));
    await transport.close();
    const config = join(folder, "dlo.config.yaml");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how references are written
    writeFileSync(config, 'version: 1\nsources:\n  - { name: pg, broker: postgres, url: "${DATABASE_URL}" }\n');
    const line = ["drain", "pg/bills.dlq", "--config", config, "--idle", "2s"];
    expect(await json(line)).toMatchObject({ source: "pg", queue: "bills.dlq", held: 20, known: 0 });
    expect(await json(["drain", "gp/bills.dlq", "--config", config])).toMatchObject({
      error: { code: "source.not_found", hint: "Did you mean `pg`?" },
    });
    expect((await run(["drain", "bills.dlq", "--config", config])).code).toBe(2);
  });

  it("proves the audit log, and finds it cut by its anchor", async () => {
    const anchor = join(folder, "anchor");
    const { stdout, code } = await run(["audit", "verify", "--anchor", anchor]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+ entries are whole/);
    expect(readFileSync(anchor, "utf8")).toMatch(/^dlo audit \d+ [\da-f]{64}\n$/);
    writeFileSync(anchor, `dlo audit 1 ${"0".repeat(64)}\n`);
    expect(await json(["audit", "verify", "--anchor", anchor])).toMatchObject({ error: { code: "audit.broken" } });
    writeFileSync(anchor, "my notes");
    expect(await json(["audit", "verify", "--anchor", anchor])).toMatchObject({
      error: { code: "input.invalid_file" },
    });
    expect(readFileSync(anchor, "utf8")).toBe("my notes");
  });

  it("keeps an embedded ledger to one process at a time", { timeout: 120_000 }, async () => {
    const env = { DLO_DATA: join(folder, "data"), USER: "ops-1" };
    const config = join(folder, "none.yaml");
    writeFileSync(config, "version: 1\n");
    // Once more where one was over before the other had begun.
    await eventually(async () => {
      const [first, second] = await Promise.all([
        dlo(["import", file, "--config", config, "--json"], env),
        dlo(["inbox", "--config", config, "--json"], env),
      ]);
      expect([first.code, second.code].filter((code) => code === 6)).toHaveLength(1);
    });
    const again = await dlo(["import", file, "--config", config, "--json"], env);
    expect(JSON.parse(again.stdout)).toMatchObject({ problems: [{ line: 4 }, { line: 5 }] });
    const inbox = await dlo(["inbox", "--config", config, "--json"], env);
    expect(JSON.parse(inbox.stdout)).toMatchObject({ items: [{ open: 4 }] });
  });

  it("says of a letter that its own time to live is over, finds it by that, and leaves it in the inbox", async () => {
    const hourMs = 3_600_000;
    const quote = (n: number, expiresAt: number) => {
      const headers = [
        { k: "expires-at", utf8: new Date(expiresAt).toISOString() },
        { k: "x-original-topic", utf8: "quotes" },
        { k: "x-exception-message", utf8: "connect ECONNREFUSED 10.0.0.7:443" },
      ];
      return JSON.stringify({
        transport: "kafka",
        topic: "quotes.dlt",
        partition: 0,
        offset: n,
        headers,
        value: { utf8: `${n}` },
      });
    };
    const quotes = join(folder, "quotes.ndjson");
    writeFileSync(quotes, [quote(1, Date.now() - 3.5 * hourMs), quote(2, Date.now() + hourMs)].join("\n"));
    expect((await run(["import", quotes])).code).toBe(0);
    const past = await run(["letters", "-q", "queue:quotes is:past-ttl"]);
    expect(past.stdout).toMatch(/ltr_\S+ +open, expired 3 h ago /);
    expect(past.stderr).toContain("1 of 1");
    const other = await run(["letters", "-q", "queue:quotes -is:past-ttl"]);
    expect(other.stdout).not.toContain("expired");
    expect(other.stderr).toContain("1 of 1");
    const [id] = /ltr_\w+/.exec(past.stdout) ?? [];
    expect((await run(["letter", id ?? ""])).stdout).toContain("time to live: expired 3 h ago");
    const { items } = (await json(["groups", "-q", "queue:quotes"])) as unknown as {
      readonly items: readonly object[];
    };
    expect(items).toMatchObject([{ open: 2 }]);
    const shown = await run(["retention", "show"]);
    expect(shown.stdout).toContain("no run came to its end yet; next as soon as a server looks");
    expect((await run(["retention", "apply"])).stdout).toContain("0 letters expired");
    expect((await run(["retention", "show"])).stdout).toMatch(/last run \d+\S+ ago by ops-1: 0 letters expired/);
    expect((await run(["status"])).stdout).toMatch(/retention +last run /);
  });
});
