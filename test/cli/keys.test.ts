import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { postgresBlockedKeys } from "../../src/stores/postgres-blocked-keys.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { terminal } from "./terminal.ts";

interface Listed {
  readonly items: readonly { readonly key: string }[];
  readonly unchecked: readonly { readonly source: string }[];
  readonly next: string | null;
}

const keys = Array.from({ length: 230 }, (_, n) => `account-${n}`);

describeServer("dlo keys list", noPostgres, () => {
  const postgres = usePostgres();
  const folder = mkdtempSync(join(tmpdir(), "dlo-keys-"));
  const config = join(folder, "dlo.config.yaml");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    const sources = `[{ name: shop, broker: postgres, url: "${postgres.url}" }, { name: mute, broker: rabbitmq, url: "amqp://127.0.0.1:1", keys: { url: "postgres://dlo@127.0.0.1:1/nowhere" } }]`;
    writeFileSync(config, `version: 1\nsources: ${sources}\n`);
    const ledger = await openLedger({ database: postgres.database });
    const store = postgresBlockedKeys({ database: postgres.database });
    for (const key of keys) {
      const lane = { queue: "accounts", key: new TextEncoder().encode(key) };
      await store.confirm(lane, await store.enter(lane, { mark: lane.key, turn: "one" }), "one", "dead");
    }
    for (const [source, queue] of [
      ["shop", "accounts"],
      ["mute", "wages"],
    ] as const) {
      const headers = { queue, class: "NoAccount" };
      const letter = deadLetter({}, { message: makeMessage({ body: "{}", headers }), queue: `${queue}.dlq` });
      await hold(ledger, [{ letter, found: { kind: "position", position: source } }], { source });
    }
  }, 120_000);

  const list = (...args: readonly string[]) =>
    terminal(["keys", "list", "--config", config, ...args], {
      env: { DATABASE_URL: postgres.url, DLO_DATA: join(folder, "data"), XDG_CONFIG_HOME: folder },
    });
  const listed = async (...args: readonly string[]) => {
    const { code, stdout } = await list("--json", ...args);
    expect(code).toBe(0);
    return JSON.parse(stdout) as Listed;
  };

  it("shows a page, and where the next one begins", async () => {
    const { code, stdout, stderr } = await list("shop/accounts", "--limit", "100");
    expect([code, stdout.match(/account-\d+/g)]).toEqual([0, keys.slice(0, 100)]);
    const [, after = ""] = /More: --after (\S+), or --limit all/.exec(stderr) ?? [];
    const second = await listed("shop/accounts", "--limit", "100", "--after", after);
    expect(second.items.map(({ key }) => key)).toEqual(keys.slice(100, 200));
    const third = await list("shop/accounts", "--after", second.next ?? "");
    expect(third.stdout.match(/account-\d+/g)).toEqual(keys.slice(200));
    expect(third.stderr).not.toContain("More:");
  });

  it("gathers all of them, and says once of each source why it was not asked", async () => {
    const { items, unchecked, next } = await listed("--limit", "all");
    expect([items.map(({ key }) => key), next]).toEqual([keys, null]);
    expect(unchecked).toEqual([{ source: "mute", why: expect.stringContaining("ECONNREFUSED") as string }]);
  });

  it("refuses what is not from a page of the same list", async () => {
    const { next } = await listed("shop/accounts", "--limit", "1");
    for (const args of [
      ["--after", "nonsense"],
      ["shop", "--after", next ?? ""],
    ]) {
      const { code, stdout } = await list("--json", ...args);
      const { error } = JSON.parse(stdout) as { readonly error: { readonly code: string } };
      expect([code, error.code]).toEqual([2, "page.mismatch"]);
    }
  });
});
