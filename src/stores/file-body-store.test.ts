import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fileBodyStore } from "./file-body-store.ts";

const name = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

function newStore() {
  const folder = mkdtempSync(join(tmpdir(), "dlo-bodies-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const clock = { at: Date.now(), now: () => clock.at };
  const store = fileBodyStore({ folder: join(folder, "bodies"), newId: () => crypto.randomUUID(), clock });
  return { folder, store, clock };
}

it("gives back the bytes it was given, and null for what it never had", async () => {
  const { store } = newStore();
  expect(await store.read(name)).toBeNull();
  await store.keep(name, Buffer.from("test"));
  expect(String(await store.read(name))).toBe("test");
});

it("keeps a body once, whoever brings it at the same time, and leaves no drafts", async () => {
  const { store, folder } = newStore();
  await Promise.all(Array.from({ length: 8 }, () => store.keep(name, Buffer.from("test"))));
  expect(readdirSync(join(folder, "bodies", "9f"))).toEqual([name]);
});

it("lets nobody else read them", async () => {
  const { store, folder } = newStore();
  await store.keep(name, Buffer.from("test"));
  expect(statSync(join(folder, "bodies")).mode & 0o077).toBe(0);
  expect(statSync(join(folder, "bodies", "9f", name)).mode & 0o077).toBe(0);
});

it("lets go of what nobody has kept for a day, and of nothing younger", async () => {
  const { store, clock } = newStore();
  await store.keep(name, Buffer.from("test"));
  clock.at += 86_400_000;
  await store.keep(name, Buffer.from("test"));
  await store.forget(name);
  expect(await store.read(name)).not.toBeNull();
  clock.at += 86_400_000;
  await store.forget(name);
  await store.forget(name);
  expect(await store.read(name)).toBeNull();
});
