import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { openOffice } from "../../src/compose.ts";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import type { Actor } from "../../src/domain/actor.ts";
import { idOfUuid } from "../../src/domain/ids.ts";
import { readBackup } from "../../src/ledger/backup/read-backup.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { readCandidates } from "../../src/ledger/read-candidates.ts";
import { writeFiles } from "../cli/every-command.ts";
import { terminal } from "../cli/terminal.ts";
import { describeServer } from "../servers/describe-server.ts";
import { startPglite } from "../servers/pglite.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { deadLetter, hold } from "./letters.ts";

const ana: Actor = { id: "ana", kind: "human", roles: ["admin"] };

describeServer("a backup", noPostgres, () => {
  const postgres = usePostgres();
  const folder = mkdtempSync(join(tmpdir(), "dlo-backup-"));
  const file = join(folder, "office.backup");
  const config = join(folder, "dlo.config.yaml");
  const env = (data: string, url?: string) => ({
    DLO_DATA: join(folder, data),
    DLO_CONFIG: config,
    XDG_CONFIG_HOME: folder,
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  });
  const run = async (args: readonly string[], own: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await terminal([...args, "--json"], { env: own });
    if (code === 70) throw new Error(stderr);
    return { code, json: JSON.parse(stdout) as Record<string, never> };
  };
  const officeOn = (data: string, url: string | null) =>
    openOffice({ databaseUrl: url, dataFolder: join(folder, data), configFile: config, env: {}, version: "1" });
  let replay = "";
  afterAll(() => rmSync(folder, { recursive: true }));

  it("has the whole ledger, in a file that only its owner can read", { timeout: 120_000 }, async () => {
    writeFiles(folder);
    const own = env("first", postgres.url);
    expect((await run(["import", join(folder, "letters.ndjson")], own)).code).toBe(0);
    const planned = await run(["replay", "plan", "-q", "queue:orders"], own);
    replay = String(planned.json.id);
    const office = await officeOn("first", postgres.url);
    const code = (await office.reception.firstRun()) ?? "";
    await office.reception.enrol({ code, name: "ana", password: "correct horse battery" });
    await office.reception.signIn({ name: "ana", password: "correct horse battery", address: "127.0.0.1" });
    await office.call("tokens.make", ana, { name: "script" });
    await office.close();
    // A replay in the middle of its work: two letters are just being sent.
    await postgres.pool.query(`
      insert into dlo.onlookers (thing, person, since, lapses_at) values ('grp_1', 'ana', now(), now() + interval '1 hour');
      update dlo.replays set state = 'running', lease_until = now() + interval '1 minute';
      update dlo.replay_items set progress = 'sending', epoch = 0 where n <= 2;
      select dlo.move_letters(array(select letter_id from dlo.replay_items where n <= 2), array['open'], 'in_replay');`);

    const made = await run(["backup", file], own);
    expect(made.code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = gunzipSync(readFileSync(file)).toString();
    expect(text).not.toContain("correct horse");
    expect(text).not.toMatch(/"table":"(sessions|tokens|invitations|messages|onlookers)"/);
    const again = await run(["backup", file], own);
    expect([again.code, again.json]).toMatchObject([2, { error: { code: "input.invalid_file" } }]);
  });

  it("is not restored under an office that lives", { timeout: 120_000 }, async () => {
    await postgres.pool.query("create database alive");
    const { href: url } = new URL("/alive", postgres.url);
    const office = await officeOn("alive", url);
    await office.startWork(["http"]);
    const refused = await run(["restore", file, "--as", "ana"], env("alive", url));
    expect([refused.code, refused.json]).toMatchObject([6, { error: { code: "ledger.in_use" } }]);
    await office.close();
    expect((await run(["restore", file, "--as", "ana"], env("alive", url))).code).toBe(0);
  });

  it("comes back elsewhere as it was, with nobody signed in and nothing under way", { timeout: 120_000 }, async () => {
    const own = env("second");
    const restored = await run(["restore", file, "--as", "ana"], own);
    expect(restored).toMatchObject({ code: 0, json: { halted: 1 } });
    const office = await officeOn("second", null);
    try {
      expect((await office.call("letters.list", ana, {})).items).toHaveLength(5);
      expect(await office.call("audit.verify", ana, {})).toMatchObject({ problem: null });
      expect((await office.call("audit.list", ana, { limit: 1 })).items[0]?.action).toBe("ledger.restored");
      expect((await office.call("people.list", ana, {})).items).toMatchObject([{ id: "ana", hasPassword: true }]);
      expect((await office.call("tokens.list", ana, {})).items).toEqual([]);
      expect(await office.call("replays.get", ana, { id: replay })).toMatchObject({
        state: "halted",
        haltedBy: { guard: "ledger.restored" },
        counts: { inDoubt: 2 },
      });
    } finally {
      await office.close();
    }
  });

  it("takes nobody's word but a person's for letters that may have been sent since", { timeout: 120_000 }, async () => {
    const pglite = await startPglite();
    try {
      const ledger = await openLedger({ database: pgliteDatabase(pglite) });
      const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
      await readBackup(ledger, { actor: ana, now: Date.now(), bodies: null, lines: ReadableStream.from(lines) });
      const { rows } = await pglite.query<{ id: string }>("select id from dlo.letters where state = 'open'");
      const [restored] = await readCandidates(ledger, [idOfUuid(rows[0]?.id ?? "")]);
      expect(Math.floor(restored?.restoredTo ?? 0)).toBe(Date.parse((JSON.parse(lines[0] ?? "") as { at: string }).at));
      await hold(ledger, [{ letter: deadLetter({ body: "new" }), found: { kind: "position", position: "new" } }]);
      const later = await pglite.query<{ id: string }>("select id from dlo.letters order by id desc limit 1");
      const [fresh] = await readCandidates(ledger, [idOfUuid(later.rows[0]?.id ?? "")]);
      expect(fresh?.restoredTo).toBeNull();
    } finally {
      await pglite.close();
    }
  });

  it("is refused where it would mix with something, and where it is not whole", { timeout: 120_000 }, async () => {
    const mixed = await run(["restore", file], env("second"));
    expect([mixed.code, mixed.json]).toMatchObject([6, { error: { code: "ledger.in_use" } }]);
    const cut = join(folder, "cut.backup");
    writeFileSync(cut, gzipSync(gunzipSync(readFileSync(file)).toString().split("\n").slice(0, -2).join("\n")));
    const broken = await run(["restore", cut], env("third"));
    expect([broken.code, broken.json]).toMatchObject([2, { error: { code: "input.invalid_file" } }]);
    const office = await officeOn("third", null);
    expect((await office.call("letters.list", ana, {})).items).toEqual([]);
    await office.close();
    expect((await run(["restore", join(folder, "none")], env("third"))).code).toBe(2);
    expect(existsSync(join(folder, "none"))).toBe(false);
  });
});
