import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { PGlite } from "@electric-sql/pglite";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { readLines, writeLines } from "../../src/cli/server/backup-file.ts";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import type { BodyStore } from "../../src/domain/body-store.ts";
import { hexOf, idOfUuid } from "../../src/domain/ids.ts";
import { readBackup } from "../../src/ledger/backup/read-backup.ts";
import { writeBackup } from "../../src/ledger/backup/write-backup.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readCandidates } from "../../src/ledger/read-candidates.ts";
import { sha256Of } from "../../src/ledger/sha256.ts";
import { listSavedViews, putSavedView } from "../../src/ledger/views.ts";
import { reception } from "../../src/office/people/reception.ts";
import { fileBodyStore } from "../../src/stores/file-body-store.ts";
import { systemHost } from "../../src/system/host.ts";
import { newSecret } from "../../src/system/secrets.ts";
import { easyPasswords } from "../http/open-server.ts";
import { startPglite } from "../servers/pglite.ts";
import { deadLetter, hold, tester, testRoom } from "./letters.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const one = { letter: deadLetter({ body: "{}" }), found: { kind: "position", position: "1" } } as const;

describe("a backup's file", { timeout: 2 * minuteMs }, () => {
  const folder = mkdtempSync(join(tmpdir(), "dlo-backup-file-"));
  const file = join(folder, "office.backup");
  const opened: PGlite[] = [];
  let source: Ledger;
  let target: Ledger;

  async function newLedger(): Promise<Ledger> {
    const pglite = await startPglite();
    opened.push(pglite);
    return openLedger({ database: pgliteDatabase(pglite) });
  }
  const deskOf = (ledger: Ledger) =>
    reception({ ledger, clock: systemHost.clock, newSecret, roles: [], passwordCost: easyPasswords });
  const backUp = (withoutBodies = false, bodies: BodyStore | null = null) =>
    writeLines(file, (write) => writeBackup(source, { bodies, withoutBodies, write }));
  const restore = () => readBackup(target, { actor: tester, now: Date.now(), bodies: null, lines: readLines(file) });

  beforeEach(async () => {
    source = await newLedger();
    target = await newLedger();
  });
  afterEach(async () => {
    rmSync(file, { force: true });
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("comes back with whatever its texts have, separators of lines and paragraphs too", async () => {
    const message = "first\u2028second\u2029third\r\nfourth \u{1F4EC}";
    const letter = deadLetter({ body: "{}", headers: { class: "Error", message } });
    await hold(source, [{ ...one, letter }]);
    await backUp();
    await restore();
    const shown = `select error_message from dlo.letters`;
    const { rows } = await target.database.query<{ error_message: string }>(shown, []);
    expect(rows).toEqual([{ error_message: message }]);
  });

  it("has a place for every letter, in whatever time zone it was made", async () => {
    // Weeks begin on Thursdays, UTC: in India this one is still in its first day, which began in the week before.
    const arrivedAt = Date.parse("2024-01-04T02:00:00Z");
    await hold(source, [one], { room: testRoom(() => arrivedAt) });
    await source.database.query("set time zone 'Asia/Kolkata'", []);
    await backUp();
    await restore();
    const { rows } = await target.database.query("select arrived_at from dlo.letters", []);
    expect(rows).toEqual([{ arrived_at: new Date(arrivedAt) }]);
  });

  it("knows a letter for one that may have been sent since, by whatever clock it arrived", async () => {
    await hold(source, [one], { room: testRoom(() => Date.now() + hourMs) });
    await backUp();
    await restore();
    const { rows } = await target.database.query<{ id: string }>("select id from dlo.letters", []);
    const [letter] = await readCandidates(target, [idOfUuid(rows[0]?.id ?? "")]);
    expect(letter?.restoredTo).toBe(letter?.arrivedAt);
  });

  it("lets nobody in with a code of the ledger that was empty", async () => {
    const desk = deskOf(target);
    const code = (await desk.firstRun()) ?? "";
    await backUp();
    await restore();
    await expect(desk.enrol({ code, name: "eve", password: "correct horse battery" })).rejects.toThrow("code");
    await expect(desk.firstRun()).resolves.not.toBe(code);
  });

  it("is not made without a large body that is gone, unless somebody says so", async () => {
    const bodies = fileBodyStore({ folder: join(folder, "bodies"), ...systemHost });
    const room = { ...testRoom(), bodies };
    const large = (letter: string) => deadLetter({ body: letter.repeat(2_000_000) });
    await hold(source, [{ ...one, letter: large("a") }], { room });
    await hold(source, [{ letter: large("b"), found: { kind: "position", position: "2" } }], { room });
    await expect(backUp(false, bodies)).resolves.toMatchObject({ missingBodies: 0 });
    rmSync(file);
    // As after a restore into another store: references say where bodies were, their hash where they are.
    await expect(backUp(false, { ...bodies, name: "s3" })).resolves.toMatchObject({ missingBodies: 0 });
    rmSync(file);
    const [gone] = (await source.database.query<{ ref: string }>(`select body_ref as ref from dlo.bodies`, [])).rows;
    const sha256 = gone?.ref.split(":")[1] ?? "none";
    rmSync(join(folder, "bodies", sha256.slice(0, 2), sha256));
    await expect(backUp(false, bodies)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("--without-bodies") as string,
      details: { missingBodies: 1 },
    });
    expect(existsSync(file)).toBe(false);
    await expect(backUp(true, bodies)).resolves.toMatchObject({ missingBodies: 1 });
    await restore();
  });

  it("comes back with the rows of its last table, too", async () => {
    const view = { owner: "ana", name: "mine", q: "state:open", sort: "", cols: [], setBy: "ana" };
    await putSavedView(source, source.database, view);
    await backUp();
    await restore();
    expect(await listSavedViews(target, "ana")).toMatchObject([{ name: "mine" }]);
  });

  it("writes nothing beside the ledger, and says what is wrong, whatever somebody wrote into it", async () => {
    const kept = join(folder, "deep", "down", "bodies");
    const bodies = fileBodyStore({ folder: kept, ...systemHost });
    const head = { v: 1, kind: "backup", at: "2026-01-01T00:00:00Z", weeks: [] };
    const people = { kind: "table", table: "people", columns: ["id"] };
    const evil = Buffer.from("evil");
    const hostile: readonly (readonly unknown[])[] = [
      [head, { kind: "body", sha256: "../../evil", base64: evil.toString("base64") }],
      [head, { kind: "body", sha256: hexOf(sha256Of("good")), base64: evil.toString("base64") }],
      [head, { kind: "body", sha256: 5, base64: 7 }],
      [{ ...head, v: 2 }],
      [{ ...head, weeks: ["0001-01-01'; drop table dlo.letters"] }],
      [{ ...head, weeks: Array.from({ length: 100_000 }, (_, n) => new Date(n * 604_800_000).toISOString()) }],
      [{ ...head, at: "yesterday" }],
      [head, head],
      [head, people, '{"kind":"row","row":nonsense}'],
      [head, people, '{"kind":"row","row":{"id":"a"}],"x":[{}}'],
      [head, { ...people, columns: ['id") select 1; drop table dlo.letters; --'] }, '{"kind":"row","row":{"id":"a"}}'],
      [head, '{"kind":"row","row":{"id":"a"}}'],
      [head, { kind: "table", table: "tokens", columns: ["id"] }],
      [head, { kind: "evil" }],
      ["null"],
    ];
    for (const written of hostile) {
      const texts = [...written, { kind: "end", lines: written.length }].map((line) =>
        typeof line === "string" ? line : JSON.stringify(line),
      );
      const lines = ReadableStream.from(texts);
      const restored = readBackup(target, { actor: tester, now: Date.now(), bodies, lines });
      await expect(restored, texts[1]).rejects.toMatchObject({
        code: expect.stringMatching(/^(INVALID_FILE|SCHEMA_MISMATCH)$/) as string,
      });
    }
    expect(existsSync(join(folder, "deep"))).toBe(false);
    await backUp();
    await expect(restore()).resolves.toMatchObject({ halted: 0 });
  });

  it("is refused where a small file unpacks to a line without end", async () => {
    const piece = Buffer.alloc(2 ** 20, "a");
    await pipeline(
      Readable.from(Array.from({ length: 300 }, () => piece)),
      createGzip({ level: 1 }),
      createWriteStream(file),
    );
    await expect(restore()).rejects.toMatchObject({
      code: "INVALID_FILE",
      message: expect.stringContaining("line longer") as string,
    });
  });

  it("is refused with a sentence where it is none, or was cut", async () => {
    writeFileSync(file, "no backup");
    await expect(restore()).rejects.toMatchObject({
      code: "INVALID_FILE",
      message: expect.stringContaining("no backup") as string,
    });
    rmSync(file);
    await backUp();
    writeFileSync(file, readFileSync(file).subarray(0, -20));
    await expect(restore()).rejects.toMatchObject({
      code: "INVALID_FILE",
      message: expect.stringContaining("was cut") as string,
    });
  });
});
