import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { expect, it, onTestFinished } from "vitest";
import { openPglite } from "./open-pglite.ts";
import { pgliteDatabase } from "./pglite.ts";
import { spareBytes, sparingDisk } from "./spare-disk.ts";

const isFull = { code: "STORE_UNAVAILABLE", message: expect.stringContaining("is full") as string };

it("is read and not written to while its disk is nearly full, and goes on by itself", {
  timeout: 120_000,
}, async () => {
  const pglite = await PGlite.create();
  onTestFinished(() => pglite.close());
  let free = 2 * spareBytes;
  const database = sparingDisk(pgliteDatabase(pglite), { folder: "/data", free: () => free });
  const write = (text: string) => database.query("insert into t values ($1)", [text]);
  const inTransaction = (text: string) =>
    database.transaction((opened) => opened.query("insert into t values ($1)", [text]));
  await database.query("create table t (a text)");
  await write("while there is room");

  free = spareBytes - 1;
  await expect(write("one")).rejects.toMatchObject(isFull);
  await expect(inTransaction("another")).rejects.toMatchObject(isFull);
  expect((await database.query("select a from t", [])).rows).toEqual([{ a: "while there is room" }]);

  free = 2 * spareBytes;
  await inTransaction("while there is room again");
  // What alone would fill it is refused before any of it is written.
  await expect(write("x".repeat(spareBytes))).rejects.toMatchObject(isFull);
  const rows = new Uint8Array(spareBytes);
  const copied = database.transaction((opened) => opened.copyIn({ target: "t (a)", rows }));
  await expect(copied).rejects.toMatchObject(isFull);
  expect((await database.query("select a from t", [])).rows).toHaveLength(2);
});

it("looks at the disk that its folder is on", { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "dlo-spare-disk-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { database, close } = await openPglite(folder, { free: () => spareBytes - 1 });
  onTestFinished(close);
  await expect(database.query("create table t (a text)")).rejects.toMatchObject(isFull);
});
